"""Davis et al. 2006, section 4 (CLARIFY): what it costs to tell confusing errors of programs apart.

Six programs, of Python and native, are run on inputs with one fault each. What they do is recorded, trees
learn to tell the faults apart, and only what the cheapest accurate tree asks for is watched afterwards.

    programs    what is run: how to get it, and how to make it fail
    subject     inputs, recordings and watched runs, kept in a folder
    symptoms    what a user sees, and how far that would do
    overhead    what watching costs in instructions and time
    trial       one program, from the first recorded run to the diagnosis of a watched one
    published   figure 1
    reporting   from figures to tables
    experiment  the settings and the trials
"""

from thriftwood.experiments.clarify.experiment import Clarify

__all__ = ["Clarify"]
