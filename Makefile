# Needs only python3 (3.11 or later, with venv and headers), a C++20 compiler and make; the rest goes into .venv.
#   make PYTHON=python3.12 ...   another interpreter (after `make clean`)
#   make test ARGS="-k costs"    arguments for the command behind a target
SHELL := /bin/bash
PYTHON ?= python3
PRESET ?= default
MINUTES ?= 10
WORKERS ?= 2
SEED ?= 0
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SLOW := echo 'Fetching packages and compiling, about two minutes the first time...'
export PATH := $(CURDIR)/$(BIN):$(PATH)

NATIVE := CMakeLists.txt $(wildcard core/*.hpp core/*.cpp core/*/*.hpp core/*/*.cpp bindings/*.hpp bindings/*.cpp bindings/*/*.hpp bindings/*/*.cpp runtime/*)
EMPTY :=
CHECKED := $(wildcard src tests benchmarks examples wasm website)
# All C++ but the tables of bindings, whose columns no tool keeps.
LAID_OUT := $(shell find core bindings runtime wasm tests/core -name '*.[ch]pp' ! -name 'bind_*')

# Rooms whose tests spend their time in the compiled module.
ROOMS ?= tests/table tests/costs tests/models tests/learning tests/ensembles tests/evolution
# A Python that was built without the sanitizers must load their runtime first, and that the C++ library whose exceptions it watches. Python
# never frees all it has; objects are malloc's, so that the sanitizer knows where they end.
RUNTIME = $$($${CXX:-c++} -print-file-name=libasan.so)
SANITIZED = env LD_PRELOAD="$(RUNTIME):$$($${CXX:-c++} -print-file-name=libstdc++.so.6)" \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
  THRIFTWOOD_CORE=$(CURDIR)/build/address PYTHONPATH=$(CURDIR)/.ci/sanitized:tests

# Stamps: what is newer than its stamp is installed again, and nothing else.
MADE := $(VENV)/.made
TOOLS := $(VENV)/.tools
BUILT := $(VENV)/.built
DEVELOPED := $(VENV)/.developed
DOCUMENTED := $(VENV)/.documented
MEASURED := $(VENV)/.measured

.DEFAULT_GOAL := help
.PHONY: help demo test check fast build wasm docs wheel release-check hook-tests core-tests has-sanitizers sanitized-tests lint layers style types format fuzz bench clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 24

demo: $(BUILT) ## build, learn from data that need no download; print frontier, tree and bill, write a report
	@$(BIN)/thriftwood demo
	@echo '  (after `. $(BIN)/activate`, which puts thriftwood on the path)'

# Files stay whole, so that what a file prepares once is prepared once.
test: $(DEVELOPED) ## the whole test suite, on two cores (THRIFTWOOD_DATA=folder adds the tests on published data)
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile $(ARGS)

check: $(DEVELOPED) ## what to run before each commit: layers, style, types and the fast tests (tests/slow.txt has the others)
	+$(MAKE) --no-print-directory -j2 --output-sync=target lint fast

fast: $(DEVELOPED)
	$(BIN)/python -m pytest --fast -q --numprocesses $(WORKERS) --dist loadfile $(ARGS)

build: $(BUILT) ## compile and install (editable) into .venv

wasm: ## the core for the browser, into src/thriftwood/studio/assets (needs emscripten: apt install emscripten)
	+$(MAKE) --no-print-directory -C wasm
	$(PYTHON) wasm/pack.py

docs: $(DOCUMENTED) ## the site, into site/: offline, nothing in it is loaded from elsewhere (THRIFTWOOD_DATA=folder: the studio on Turney's heart prices)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet $(ARGS)
	@echo 'Open site/index.html, or: $(BIN)/python -m http.server --directory site --bind 127.0.0.1'

wheel: $(TOOLS) ## dist/*.whl
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

release-check: $(DOCUMENTED) ## what would be published: the site, and packages that are tried on Python 3.11, 3.12 and 3.13 without a compiler
	$(BIN)/python .ci/release_check.py $(PYTHONS)

hook-tests: $(DEVELOPED) ## what records Python programs, on this Python and on PYTHONS="python3.12 python3.13"
	THRIFTWOOD_PYTHONS="$(subst $(EMPTY) ,:,$(strip $(PYTHONS)))" $(BIN)/python -m pytest \
	  tests/clarify/test_python_programs_calls.py tests/clarify/test_python_programs.py \
	  tests/clarify/test_recording_killed.py $(ARGS)

core-tests: $(TOOLS) ## tests of the C++ core without Python; PRESET=default, address or thread
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET)
	build/$(PRESET)/core_tests $(ARGS)

has-sanitizers:
	@[[ "$(RUNTIME)" == */* ]] || { echo "The compiler $${CXX:-c++} has no libasan.so, which a Python that was built without sanitizers must load first." \
	  "Use GCC with its own libraries: on Debian apt install g++, then make sanitized-tests CXX=g++" >&2; exit 2; }

sanitized-tests: MINUTES = 5
sanitized-tests: has-sanitizers $(DEVELOPED) ## the Python module under the address and undefined-behaviour sanitizers: ROOMS="tests/..." and MINUTES=5 of hostile input
	cmake --preset sanitized -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)"
	cmake --build --preset sanitized
	@$(SANITIZED) $(BIN)/python -c "from thriftwood import _core; print('Under test:', _core.__file__)"
	$(SANITIZED) $(BIN)/python -m pytest -q --numprocesses $(WORKERS) --dist loadfile $(ROOMS) $(ARGS)
	$(SANITIZED) $(BIN)/python -m fuzz.campaign --minutes $(MINUTES) --seed $(SEED)

lint: layers style types ## layers, style and types

layers: $(DEVELOPED) ## do imports point one way?
	$(BIN)/lint-imports

style: $(DEVELOPED) ## ruff's rules and layout, and the layout of the C++ code
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	@$(BIN)/clang-format --dry-run -Werror $(LAID_OUT)

types: $(DEVELOPED) ## mypy --strict
	$(BIN)/mypy --strict src

format: $(DEVELOPED) ## lay the files of both languages out and mend what ruff can mend
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)
	@$(BIN)/clang-format -i $(LAID_OUT)

fuzz: $(DEVELOPED) ## hostile model files, frames and cost files for MINUTES=10, in watched processes; CASE="trees:17" tries one again
	PYTHONPATH=tests $(BIN)/python -m fuzz.campaign $(if $(CASE),--case "$(CASE)",--minutes $(MINUTES) --seed $(SEED)) $(ARGS)

bench: $(MEASURED) ## our times beside other libraries' on the same data
	$(BIN)/python -m benchmarks.speed $(ARGS)

clean: ## remove .venv, builds and caches
	rm -rf $(VENV) build dist site src/thriftwood/_core.pyi
	rm -rf .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find $(CHECKED) -name __pycache__ -type d -prune -exec rm -rf {} +

# Says what to install before a compiler says it less clearly.
define PREFLIGHT
import os, shutil, sys, sysconfig
wanted = []
if sys.version_info < (3, 11):
    sys.exit(f"Python 3.11 or later is needed, {sys.executable} is {sys.version.split()[0]}: make PYTHON=python3.11")
try:
    import ensurepip, venv
except ImportError:
    wanted.append("python3-venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    wanted.append("python3-dev")
if not (os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")):
    wanted.append("g++")
if wanted:
    sys.exit("Missing on this machine: " + ", ".join(wanted) + ". On Debian: apt install " + " ".join(wanted))
endef
export PREFLIGHT

$(MADE):
	@$(PYTHON) -c "$$PREFLIGHT"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@touch $@

# Installed before the package, which is then built without isolation: the build tree in build/ stays valid between runs.
define LIST_TOOLS
import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["build"], sep="\n")
endef
export LIST_TOOLS

$(TOOLS): $(MADE) pyproject.toml
	@$(BIN)/python -c "$$LIST_TOOLS" > $@.txt
	$(PIP) --requirement $@.txt
	@touch $@

$(BUILT): $(TOOLS) $(NATIVE)
	@$(SLOW)
	$(PIP) --no-build-isolation --editable ".[frames]"
	@touch $@

$(DEVELOPED): $(TOOLS) $(NATIVE)
	@$(SLOW)
	$(PIP) --no-build-isolation --editable ".[dev]"
	@touch $(BUILT) $(DOCUMENTED) $@

$(DOCUMENTED): $(TOOLS) $(NATIVE)
	@$(SLOW)
	$(PIP) --no-build-isolation --editable ".[docs]"
	@touch $(BUILT) $@

$(MEASURED): $(TOOLS) $(NATIVE)
	@$(SLOW)
	$(PIP) --no-build-isolation --editable ".[bench]"
	@touch $(BUILT) $@
