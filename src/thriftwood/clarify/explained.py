"""`explained`: what a failure is, by a model that is read without the libraries that it was learnt by.

What `diagnose` says, for programs that explain themselves: from the JSON object of the model's file, with the
standard library alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thriftwood.clarify.builds import check_build
from thriftwood.clarify.commands import Ran, ending_words
from thriftwood.clarify.evidence import known_lines, signs_of
from thriftwood.clarify.normal import Normal, Odd
from thriftwood.clarify.patterns import Sign
from thriftwood.clarify.plan import Plan, from_words
from thriftwood.clarify.reading import read_counts
from thriftwood.clarify.telling import close_to, doubt_about, said_of, stated

_NUMERIC = 1  # the kind of a node that compares a number


def explained(
    model: Mapping[str, Any], counts: Sequence[int], ran: Ran, command: Sequence[str], *, why: bool = False
) -> Sequence[str]:
    """Return the message of a run, and how sure it is if that is asked for.

    Parameters
    ----------
    model : mapping
        The JSON object of a model's file.
    counts : sequence of int
        One per pattern of its plan.
    ran : Ran
        How the run ended, how long it took, what it wrote to standard error.
    command : sequence of str
        Its command line.
    why : bool
        Add label and confidence; where the label does not hold, what is unlike recorded runs of it.
    """
    signs = [Sign(kind, text) for kind, text in model["signs"]]
    normal = None if model["normal"] is None else Normal.from_content(model["normal"])
    shown = signs_of(ran, command, known_lines(signs, () if normal is None else normal.known.values()))
    row = [*map(float, counts), *(float(sign in shown) for sign in signs)]
    label, runs, asked = _leaf(model["tree"], row)
    sure = (runs[label] + 1) / (sum(runs.values()) + len(runs))  # after Laplace
    odd: Sequence[tuple[Odd, float]] = ()
    unknown = False
    if normal is not None:
        odd = normal.odd(label, row, shown)
        unknown = normal.is_too_odd(sum(much for _, much in odd))
        sure = normal.confidence(label, sure)
    ended = ending_words(ran.exit, timed_out=ran.timed_out)
    doubt = doubt_about(label, ended, model["endings"], model["in_doubt"])
    nothing_seen = bool(asked) and all(place < len(counts) and not row[place] for place in asked)
    worded = stated(sure, nothing_seen=nothing_seen)
    texts, other = model["messages"], close_to(label, worded, runs, ended, model["endings"])
    second = None if other is None else texts.get(other) or other
    said = said_of(texts.get(label) or label, worded, second, ended=ended, doubt=doubt, unknown=unknown)
    if not why:
        return [said]
    if not unknown and doubt is None:
        return [said, f"({label}, confidence {sure:.0%})"]
    told = [said, f"(most like: {label})"]
    if normal is not None:
        from thriftwood.clarify.oddities import odd_words

        told += odd_words(normal, label, row, odd, (*map(from_words, model["patterns"]), *signs))
    return told


def counted_in(folder: str, model: Mapping[str, Any]) -> Sequence[int]:
    """Read what was counted in this process, by the plan of the model: its file is complete at any moment."""
    own = sorted(Path(folder).glob(f"{os.getpid()}-*.profile"))  # children have files of their own beside it
    if not own:
        raise FileNotFoundError(2, "What was counted is gone", folder)
    counts = read_counts(own[0])
    check_build(counts.build, model["build"])
    plan = Plan(tuple(from_words(words) for words in model["patterns"]))
    return plan.values(counts.values)


def _leaf(content: Mapping[str, Any], row: Sequence[float]) -> tuple[str, dict[str, float], list[int]]:
    """Walk the tree: the label of the leaf, the recorded runs of each label there, what was asked."""
    tree, classes = content["tree"], content["classes"]["values"]
    nodes, width = tree["nodes"], tree["width"]
    node, asked = 0, []
    while nodes["feature"][node] >= 0:
        if nodes["kind"][node] != _NUMERIC:
            raise ValueError("the tree has a test that is no comparison of a number")
        asked.append(nodes["feature"][node])
        beyond = row[asked[-1]] > nodes["threshold"][node]
        child = nodes["first_child"][node] + int(beyond)
        if child <= node:  # of a damaged file: the program is to end
            raise ValueError("the tree has a node that is below itself")
        node = child
    weights = tree["values"][node * width : (node + 1) * width]
    return str(classes[nodes["label"][node]]), dict(zip(map(str, classes), weights, strict=True)), asked
