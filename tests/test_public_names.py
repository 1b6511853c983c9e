"""A module imports public names of our other modules; ruff (SLF) says the same of attributes."""

import ast
from pathlib import Path

import thriftwood

PACKAGE = Path(thriftwood.__file__).parent
SHARED = {
    "_core",
    "_hook",
    "__version__",
}  # the compiled parts, which the package alone uses; a public dunder


def private_imports(path):
    """The private names that a file imports from our modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("thriftwood"):
            yield from (name.name for name in node.names if name.name.startswith("_"))


def test_no_module_imports_a_private_name_of_another():
    found = {str(path): set(private_imports(path)) - SHARED for path in PACKAGE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}
