"""A corpus of three types from three sources, with a price list that is the same on every machine."""

from __future__ import annotations

from pathlib import Path

from flowtype.small_corpus import write_small_corpus

import thriftwood as tw
from thriftwood import flowtype
from thriftwood.flowtype import FEATURES
from thriftwood.flowtype.chunk import NEEDS, STEPS

_OF_16_KB = {"sum": 1.0, "squares": 1.0, "histogram": 4.0, "spectrum": 40.0, "bicoherence": 130.0}


def _price(step: str) -> float:
    name, size = step.split("@")
    return _OF_16_KB[name] * int(size.removesuffix("k")) / 16


PRICES = tw.Costs(
    {name: tw.Test(0.1, needs=NEEDS[name]) for name in FEATURES}, {step: _price(step) for step in STEPS}
)


def write_small_streams(folder: Path, files: int = 3) -> Path:
    write_small_corpus(folder / "files", files=files)
    flowtype.index_folders(folder, [folder / "files"])
    PRICES.to_file(folder / "costs.toml")
    return folder
