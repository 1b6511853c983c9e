"""Time limits that begin when a program shows that it is there: a busy machine takes long to start one."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path

import pytest

from thriftwood.clarify import running


def limit_from(sign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time of recorded and of watched programs begin once there is a file of this name."""

    class PatientTimer(threading.Timer):
        def run(self) -> None:
            while not (sign.exists() or self.finished.is_set()):
                time.sleep(0.01)
            super().run()

    class PatientPopen(subprocess.Popen):
        def wait(self, timeout: float | None = None) -> int:
            while timeout is not None and not sign.exists() and self.poll() is None:
                time.sleep(0.01)
            return super().wait(timeout)

    monkeypatch.setattr(running, "Timer", PatientTimer)
    monkeypatch.setattr(subprocess, "Popen", PatientPopen)
