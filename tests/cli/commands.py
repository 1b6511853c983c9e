"""Running the command: in this process, which is quick, or in one of its own, as a user does."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from thriftwood.cli import app

VERBS = (
    *("fit", "predict", "bill", "compare", "frontier", "show", "consult", "export", "algorithms", "demo"),
    *("costs", "reproduce", "flowtype", "clarify"),
)


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


def thriftwood(*arguments: str | Path, typed: str = "", **environment: str) -> Run:
    env = {"COLUMNS": "80"} | environment
    result = CliRunner().invoke(app, list(map(str, arguments)), input=typed, env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Run(result.exit_code, result.stdout, result.stderr)


def as_process(*arguments: str | Path, **environment: str) -> Run:
    run = subprocess.run(
        [Path(sys.executable).with_name("thriftwood"), *arguments],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "80"} | environment,
        timeout=120,
        check=False,
    )
    return Run(run.returncode, run.stdout, run.stderr)
