"""Compiling a program from its sources, with other flags in another folder."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUPPORT = Path(__file__).parent / "support"
"""Our own C files: a driver, and stand-ins for libraries that only play sound."""

OPTIMISED = ("-O2", "-fno-optimize-sibling-calls", "-g0", "-w", "-fcommon")
"""For recorded and plain programs alike. A call that ends a function stays a call: its caller shows."""


def compiler() -> str | None:
    """Return the path of gcc, if there is one."""
    return shutil.which("gcc")


@dataclass(frozen=True)
class Build:
    """One way to compile a program.

    Parameters
    ----------
    home : path
        The program's own folder.
    flags : tuple of str
        Instrumentation. Every set of flags, and every state of our own C files, has a folder of its own.
    """

    home: Path
    flags: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where what is compiled goes."""
        content = hashlib.sha256(" ".join((*OPTIMISED, *self.flags)).encode())
        for path in sorted(SUPPORT.rglob("*.[ch]")):
            content.update(path.read_bytes())
        return self.home / f"build-{content.hexdigest()[:12]}"

    def run(self, *command: str, at: Path) -> None:
        """Run one step in a folder.

        Raises
        ------
        ValueError
            When it fails; with what it said.
        """
        done = subprocess.run(command, cwd=at, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[-600:]
            raise ValueError(f"{' '.join(command)[:200]} failed in {at}: {said}")

    def link(self, program: str, sources: Sequence[Path], options: Sequence[str] = (), *, at: Path) -> None:
        """Compile C files with the flags and link them; the program appears when it is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f"{program}.partial"
        files = [str(source) for source in sources]
        libraries = [option for option in options if option.startswith("-l")]
        others = [option for option in options if not option.startswith("-l")]
        self.run(
            *(compiler() or "gcc", *OPTIMISED, *self.flags, *others, "-o", str(partial), *files, *libraries),
            at=at,
        )
        partial.rename(self.folder / program)
