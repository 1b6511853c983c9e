"""Sources for a corpus: Debian packages, downloaded and unpacked, never installed.

A *bundle* is a group of packages that no other bundle shares. ``bundles.toml`` lists fifteen of them.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

BUNDLES_FILE = Path(__file__).with_name("bundles.toml")


def debian_bundles() -> dict[str, list[str]]:
    """Return the packages of every bundle.

    Examples
    --------
    >>> bundles = debian_bundles()
    >>> len(bundles), bundles["frozen-bubble-data"][0]
    (15, 'frozen-bubble-data')
    """
    with BUNDLES_FILE.open("rb") as file:
        return dict(tomllib.load(file))


def fetch(folder: Path, bundle: str, packages: list[str]) -> Path:
    """Download and unpack the packages of a bundle; return the folder of their files.

    Packages that are in ``folder/packages`` already are not downloaded again.
    """
    unpacked = folder / "unpacked" / bundle
    if unpacked.is_dir():
        return unpacked
    require("apt-get", "dpkg-deb")
    downloads = folder / "packages"
    downloads.mkdir(parents=True, exist_ok=True)
    partly = unpacked.with_name(bundle + ".partly")
    shutil.rmtree(partly, ignore_errors=True)
    partly.mkdir(parents=True)
    for name in packages:
        run("dpkg-deb", "-x", str(_package(downloads, name)), str(partly))
    return partly.rename(unpacked)  # a folder that is there is complete


def _package(downloads: Path, name: str) -> Path:
    def downloaded() -> list[Path]:
        return sorted(downloads.glob(f"{name}_*.deb"))

    if not downloaded():
        run("apt-get", "download", name, cwd=downloads)
    return downloaded()[-1]


def require(*tools: str) -> None:
    """Say which programs are missing, all at once."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise ValueError(
            f"Not on this machine: {', '.join(missing)}. Install what is missing, or index files of your own "
            "with --from FOLDER, one subfolder for each type."
        )


def run(*command: str, given: bytes | None = None, cwd: Path | None = None) -> bytes:
    """Run a program and return what it wrote; its own words are in the error if it fails."""
    done = subprocess.run(command, input=given, capture_output=True, cwd=cwd, check=False)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise ValueError(f"`{' '.join(command[:3])} ...` failed: {' '.join(said) or 'without a word'}.")
    return done.stdout
