"""mpg321, which plays a damaged file without a word."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from thriftwood.experiments.clarify.programs.building import SUPPORT, Build
from thriftwood.experiments.clarify.programs.mp3 import FAULTS, mp3_bytes
from thriftwood.experiments.clarify.programs.program import NativeProgram
from thriftwood.experiments.clarify.programs.sources import Archive

_PLAYER = (
    *("mpg321", "mad", "playlist", "network", "remote", "ao", "options", "auth", "scrobbler", "fft"),
    *("fbuffer", "volume"),
)
_DECODER = (
    *("version", "fixed", "bit", "timer", "stream", "frame", "synth", "decoder", "layer12", "layer3"),
    "huffman",
)
_OPTIONS = (
    *("-DFPM_64BIT", "-DSIZEOF_INT=4", "-DSIZEOF_LONG=8", "-DOPT_STRICT", "-DRETSIGTYPE=void"),
    *("-include", "errno.h", '-DAUDIO_DEFAULT="null"', '-DMPG321_PATH="mpg321"', '-DVERSION="0.3.2"'),
)


class Mpg321(NativeProgram):
    """mpg321 and its decoder libmad on damaged files.

    The player and the decoder are the published ones. The libraries that open a sound device and read the
    texts of ID3 tags are small stand-ins, because a machine without sound has neither.
    """

    name = "mpg321"
    suffix = ".mp3"
    large = 30
    classes = FAULTS
    archives = (
        Archive(
            "mpg321",
            "m/mpg321",
            "mpg321_0.3.2.orig.tar.gz",
            "056fcc03e3f5c5021ec74bb5053d32c4a3b89b4086478dcf81adae650eac284e",
        ),
        Archive(
            "libmad",
            "libm/libmad",
            "libmad_0.15.1b.orig.tar.gz",
            "bbfac3ed6bfbc2823d3775ebb931087371e142bb0e9bb1bee51a76a6e0078690",
        ),
    )

    def compile(self, build: Build, sources: Mapping[str, Path]) -> None:
        """Compile player, decoder and stand-ins into one program."""
        player, decoder = sources["mpg321"], sources["libmad"]
        files = [player / f"{name}.c" for name in _PLAYER]
        files += [decoder / f"{name}.c" for name in _DECODER]
        files.append(SUPPORT / "silence.c")
        # The player's folder comes last: both have a file called mad.h or mad.c.
        folders = [f"-I{folder}" for folder in (SUPPORT, decoder, player)]
        build.link(self.name, files, [*_OPTIONS, *folders, "-lm", "-lpthread"], at=player)

    def command(self, installed: Path, given: Path) -> list[str]:
        """Write the samples beside the file, quietly."""
        return [str(installed), "-q", "-w", str(given.with_suffix(".wav")), str(given)]

    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Write a stream of frames."""
        return mp3_bytes(random, fault, size)
