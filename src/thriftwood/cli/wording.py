"""What the library says of Python, said of the command line.

The library tells Python users what to pass. In a shell the same remedy is an option, so its sentences are
translated where they are printed; a sentence that names nothing of Python stays as it is.
"""

from __future__ import annotations

import math
import re

_WORDS = (
    (r"but costs is None\b", "but there is no price list"),
    (r"but costs has no price of any test\b", "but there is no price of any test"),
    (r"Pass costs=tw\.Costs\(.*?\)\.", "Give --costs FILE."),
    (r"param='(\w+)', values=\[([^\]]*)\]", r"--param \1 --values \2"),
    (r"Pass values=\[\.\.\.\]", "Give --values LIST"),
    (r"pass a smaller cv\b", "give a smaller --cv"),
    (r"pass data_dir=FOLDER\b", "give --data FOLDER"),
    (r" See (sampling|history)_\.", ""),
    (r" Limit its trees, for example by estimator=.*? of growth\.", ""),
    (r"\(nominal='value'\)", "(--set nominal=value)"),
    (r"\((cuts_per_feature|depth|max_bits)=(\d+)\)", r"(--set \1=\2)"),
    (r"Leave out '(.*?)'(?=[,;.])", r"Leave out \1 (--ignore)"),
    (
        r"is an object, such as tw\.\w+\(.*?\), whose settings can be given by themselves, (.*?)\. Got",
        r"is an object, which the command line gives setting by setting, such as --set \1. Got",
    ),
    (r"criterion='([\w-]+)' weighs prices against what mistakes cost", r"\1 weighs prices against mistakes"),
    (r"costs has no errors, so", "the price list has no [errors], so"),
    (r"Pass costs=costs\.replace\(errors=.*?\),", "Put them into the price list,"),
    (
        r"Grow the tree with Growth\(missing='majority'\) or Growth\(missing='branch'\); or, if every value "
        r"will be there, pass undecided='nan':",
        "Fit it again with --set missing=majority or --set missing=branch; or, if every value will be there, "
        "give --undecided nan:",
    ),
    (
        r"CostTreeClassifier was told to refuse missing values \(.*?\)\)",
        "this learner refuses missing values",
    ),
    (
        r"growth__missing=.*?, for example algorithm\('([\w-]+)', missing='fractional'\)",
        r"--set missing=fractional (surrogate, branch, majority), or where learners are listed "
        r"\1:missing=fractional",
    ),
)
_UNDECIDED = re.compile(
    r"criterion='(?P<name>[\w-]+)' needs (?P<parameter>\w+): .* from (?P<low>\S+) to (?P<high>[^\s;]+); .*"
)


def in_shell(message: str) -> str:
    """Say in options what a message says in Python.

    >>> in_shell("There is no usual grid for growth__max_depth. Pass values=[...].")
    'There is no usual grid for growth__max_depth. Give --values LIST.'
    """
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return re.sub(r"(--values [^-]*?\d), (?=\d)", r"\1,", message)


def remedy(message: str, *, as_list: bool) -> str:
    """Add what to type to the message that a learner needs a parameter; others come back as they are.

    Parameters
    ----------
    as_list : bool
        Whether learners are listed, ``csgain:gamma=0.01``, or named with ``--set gamma=0.01``.

    Examples
    --------
    >>> said = "criterion='csgain' needs gamma: so and so. Try values from 0.001 to 1; 0 ignores prices."
    >>> remedy(said, as_list=True).rpartition("prices. ")[2]
    'For example --algorithms csgain:gamma=0.03.'
    >>> remedy(said, as_list=False).rpartition("prices. ")[2]
    'For example --set gamma=0.03.'
    """
    found = _UNDECIDED.fullmatch(message)
    if found is None:
        return message
    middle = math.sqrt(float(found["low"]) * float(found["high"]))
    setting = f"{found['parameter']}={middle:.1g}"
    return f"{message} For example " + (
        f"--algorithms {found['name']}:{setting}." if as_list else f"--set {setting}."
    )
