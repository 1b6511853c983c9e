"""Published source archives: fetched once, checked, unpacked."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

POOL = "https://deb.debian.org/debian/pool/main"
"""Debian keeps the sources of what it packages."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A file of sources.

    Parameters
    ----------
    name : str
        Of the folder it is unpacked to.
    pool : str
        The folder of Debian's pool it is in.
    file : str
        Its name.
    sha256 : str
        Of its content.
    """

    name: str
    pool: str
    file: str
    sha256: str

    @property
    def address(self) -> str:
        """Where it can be fetched."""
        return f"{POOL}/{self.pool}/{quote(self.file)}"


def unpacked(archive: Archive, folder: Path) -> Path:
    """Return the folder of an archive's files, fetching and unpacking what is not there yet.

    Raises
    ------
    ValueError
        When it cannot be fetched, or is not the file it should be.
    """
    target = folder / "sources" / archive.name
    if target.is_dir():
        return target
    content = _fetched(archive, folder / archive.file)
    partial = target.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    with tarfile.open(content) as files:
        files.extractall(partial, filter="data")
    inner = list(partial.iterdir())  # most archives hold one folder, some hold the files themselves
    if len(inner) == 1 and inner[0].is_dir():
        inner[0].rename(target)
        partial.rmdir()
    else:
        partial.rename(target)
    return target


def _fetched(archive: Archive, path: Path) -> Path:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        try:
            with urlopen(archive.address, timeout=60) as answer, partial.open("wb") as file:
                shutil.copyfileobj(answer, file)
        except (URLError, TimeoutError) as error:
            raise ValueError(
                f"{archive.address} cannot be fetched ({error}). Put the file {archive.file} into "
                f"{path.parent}, or leave this program out."
            ) from error
        partial.rename(path)
    if (found := hashlib.sha256(path.read_bytes()).hexdigest()) != archive.sha256:
        raise ValueError(
            f"{path} is not the published file: its SHA-256 is {found}, not {archive.sha256}. Delete it."
        )
    return path
