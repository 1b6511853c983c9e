"""Running the command: in this process, which is quick, or in one of its own, as a user does."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from thriftwood.cli import app

VERBS = (
    *("fit", "predict", "bill", "compare", "frontier", "whatif", "watchdog", "show", "consult", "stream"),
    *("export", "studio", "algorithms", "demo", "costs", "reproduce", "flowtype", "clarify"),
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
        check=False,
    )
    return Run(run.returncode, run.stdout, run.stderr)


PRESS = """
import os, signal, threading
def press_soon(): threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
"""


def as_interrupted(prepare: str, *arguments: str | Path) -> Run:
    """In a process of its own, which first runs some lines: by them ``press_soon()`` will be called."""
    code = f"{PRESS}{prepare}\nfrom thriftwood.cli import app\napp()"
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "200"},
        check=False,
    )
    return Run(run.returncode, run.stdout, run.stderr)
