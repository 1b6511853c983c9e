"""Running the command as a user does."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


def thriftwood(*arguments: str | Path, typed: str = "", **environment: str) -> Run:
    command = Path(sys.executable).with_name("thriftwood")
    run = subprocess.run(
        [command, *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "80"} | environment,
        timeout=120,
        check=False,
    )
    return Run(run.returncode, run.stdout, run.stderr)
