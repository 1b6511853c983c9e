"""A corpus that needs no tools: made-up text, sine waves, and noise for secrets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SOURCES = ("attic", "cellar", "garden")
WORDS = (
    "the",
    "of",
    "and",
    "to",
    "in",
    "is",
    "was",
    "that",
    "for",
    "with",
    "as",
    "his",
    "on",
    "be",
    "by",
    "had",
)


def write_small_corpus(root: Path, files: int = 2, size: int = 40_000) -> None:
    """Write ROOT/TYPE/SOURCE/NN.type for three types and three sources."""
    for place, source in enumerate(SOURCES):
        random = np.random.default_rng(place)
        for number in range(files):
            made = {"TXT": text(random, size), "WAV": wave(random, size), "ENC": random.bytes(size)}
            for kind, content in made.items():
                path = root / kind / source / f"{number:02d}.{kind.lower()}"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


def text(random: np.random.Generator, size: int) -> bytes:
    return " ".join(random.choice(WORDS, size)).encode()[:size]


def wave(random: np.random.Generator, size: int) -> bytes:
    time = np.arange(size // 2)
    loud = 8000 * np.sin(time * random.uniform(0.01, 0.2)) + 300 * random.normal(size=size // 2)
    return loud.astype("<i2").tobytes()
