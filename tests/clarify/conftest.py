from pathlib import Path

import pytest
from clarify.small_program import write_explained_program
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


@pytest.fixture(scope="session")
def explained_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with prog.py, which explains itself by the model.json beside it."""
    folder = tmp_path_factory.mktemp("explaining")
    write_explained_program(folder)
    return folder
