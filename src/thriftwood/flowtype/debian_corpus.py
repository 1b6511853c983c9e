"""A corpus of eight types built from Debian packages, bundle by bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from thriftwood.flowtype.corpus import CHUNKS_PER_FILE, Corpus, index_folders
from thriftwood.flowtype.debian import debian_bundles, fetch
from thriftwood.flowtype.making import MIN_BYTES, check_tools, make_files

FILES_PER_BUNDLE = 10

ProgressCallback = Callable[[int, int, str], None]


def build_corpus(
    folder: Path | str,
    *,
    bundles: Mapping[str, list[str]] | None = None,
    files_per_bundle: int = FILES_PER_BUNDLE,
    chunks_per_file: int = CHUNKS_PER_FILE,
    tell: ProgressCallback | None = None,
) -> Corpus:
    """Download packages, unpack them without installing, make files of eight types and index them.

    Needs apt-get, dpkg-deb, ffmpeg, lame, openssl and Pillow, and says which are missing. What is in the
    folder already is not made again, so an interrupted call goes on where it stopped.

    Parameters
    ----------
    folder : path
        Packages, unpacked files, the corpus and its index go here: about 6 GB with all bundles.
    bundles : mapping of names to lists of packages, optional
        The sources; those of ``bundles.toml`` (15, some 1.3 GB to download) unless given.
    files_per_bundle : int
        How many files of each type a bundle gives; fewer where its sources do not suffice.
    chunks_per_file : int
        How many chunks of each file.
    tell : callable, optional
        Called with the number of bundles done, their number, and the name of the one under way.
    """
    if files_per_bundle < 1:
        raise ValueError(f"files_per_bundle must be 1 or more. Got {files_per_bundle}.")
    check_tools()
    folder = Path(folder)
    wanted = debian_bundles() if bundles is None else bundles
    for number, (name, packages) in enumerate(wanted.items()):
        if tell is not None:
            tell(number, len(wanted), name)
        unpacked = fetch(folder, name, packages)
        make_files(unpacked, folder / "files", name, files_per_bundle)
    return index_folders(folder, [folder / "files"], min_bytes=MIN_BYTES, chunks_per_file=chunks_per_file)
