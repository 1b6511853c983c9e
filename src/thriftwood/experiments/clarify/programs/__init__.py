"""Real programs with confusing errors, and inputs that bring them about.

Words
-----
program
    What is recorded and watched: published code, run on one input file at a time.
fault
    What is wrong with an input; every class of it has a clear message that the program does not give.
support
    Our own small files: drivers, and stand-ins for libraries that only make sound.

    program     what a program offers
    sources     archives of sources, fetched and checked
    building    compiling them
    c_text, rst_text, mp3, pdf    inputs, valid or with one fault

To add a program: a subclass of `PythonProgram` or `NativeProgram` in a file of its own, and a line in
`PROGRAMS`.
"""

from thriftwood.experiments.clarify.programs.docutils import Docutils
from thriftwood.experiments.clarify.programs.gzprintf import Gzprintf
from thriftwood.experiments.clarify.programs.mpg321 import Mpg321
from thriftwood.experiments.clarify.programs.pdfminer import Pdfminer
from thriftwood.experiments.clarify.programs.program import Program
from thriftwood.experiments.clarify.programs.pycparser import Pycparser
from thriftwood.experiments.clarify.programs.tcc import Tcc

PROGRAMS: dict[str, Program] = {
    program.name: program for program in (Docutils(), Pycparser(), Pdfminer(), Tcc(), Mpg321(), Gzprintf())
}
"""Every program by name."""

__all__ = ["PROGRAMS", "Program"]
