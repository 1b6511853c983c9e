from pathlib import Path

import pytest
from hooked_python import Python, hook_built_for, installed_pythons


@pytest.fixture(scope="session")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hooks")


@pytest.fixture(params=installed_pythons(), ids=lambda path: Path(path).name)
def python(request: pytest.FixtureRequest, hooks: Path, tmp_path: Path) -> Python:
    folder = hooks / str(abs(hash(request.param)))
    folder.mkdir(exist_ok=True)
    hook = hook_built_for(request.param, folder)
    if hook is None:
        pytest.skip(f"{request.param} does not run here or has no headers")
    return Python(request.param, hook, tmp_path)
