"""The tests of scikit-learn's trees, those of the installed release, run on ours; none are kept here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
TESTS = "sklearn.tree.tests.test_tree"

INSIDE = "scikit-learn's own compiled code and its pickles"
_INSIDE = (
    "test_absolute_errors_precomputation_function",
    "test_build_pruned_tree_infinite_loop",
    "test_build_pruned_tree_py",
    "test_check_n_classes",
    "test_check_node_ndarray",
    "test_check_value_ndarray",
    "test_criterion_copy",
    "test_deterministic_pickle",
    "test_different_bitness_joblib_pickle",
    "test_different_bitness_pickle",
    "test_different_endianness_joblib_pickle",
    "test_different_endianness_pickle",
    "test_realloc",
    "test_splitter_serializable",
    "test_tree_deserialization_from_read_only_buffer",
)
_OTHER_TESTS = {
    "test_multioutput": "several outputs",
    "test_class_weight_errors": "several outputs",
    "test_min_weight_fraction_leaf_on_sparse_input": "several outputs",
    "test_min_weight_fraction_leaf_with_min_samples_leaf_on_sparse_input": "several outputs",
    "test_poisson_vs_mse": "the criterion poisson",
    "test_poisson_zero_nodes": "the criterion poisson",
    "test_missing_values_poisson": "the criterion poisson",
    "test_friedman_mse_deprecation": "the criterion friedman_mse",
    "test_missing_values_random_splitter_on_equal_nodes_no_missing": "random cuts",
    "test_regression_extra_tree_missing_values_toy": "random cuts",
    "test_random_splitter_missing_values_uses_non_missing_min_max": "random cuts",
}
_OTHER_VALUES = {
    "ExtraTreeClassifier": "random cuts",
    "ExtraTreeRegressor": "random cuts",
    "random": "random cuts",
    "poisson": "the criterion poisson",
    "friedman_mse": "the criterion friedman_mse",
    "multilabel": "several outputs",
}

_BRANCH = "missing values have a branch of their own"
_OUTPUTS = "its second half has several outputs"
EXPLAINED = {
    "test_big_input": "numbers beyond float32 are learnt from: float64 stays float64",
    "test_class_weights": _OUTPUTS,
    "test_classes_shape": _OUTPUTS,
    "test_error": "its last lines are about the criterion poisson",
    "test_huge_allocations": "too many leaves are refused as a parameter, before memory is asked for",
    "test_mae": "between two middle numbers the lower one is the median, not their mean",
    "test_min_sample_split_1_error": "any least weight is taken: weights need not be whole",
    "test_missing_value_errors": "sparse tables may have missing values",
    "test_missing_values_best_splitter_missing_both_classes_has_nan": _BRANCH,
    "test_missing_values_best_splitter_on_equal_nodes_no_missing": "what was never missing before goes down "
    "both branches in parts, not down the larger",
    "test_regression_tree_missing_values_toy": _BRANCH,
    "test_sample_weight_invalid": "a weight that is a single number is refused with another sentence",
    "test_splitting_with_missing_values": _BRANCH,
}
"""Why tests come out otherwise on our trees; docs/trees.md has the table."""


def why_not_ours(test: str, values: Collection[str]) -> str | None:
    """Say why a test, with these values of its parameters, is not for our trees; None: it is.

    >>> why_not_ours("test_toy", ["DecisionTreeRegressor", "poisson"])
    'the criterion poisson'
    """
    if test in _INSIDE:
        return INSIDE
    reasons = (_OTHER_VALUES[value] for value in values if value in _OTHER_VALUES)
    return _OTHER_TESTS.get(test) or next(reasons, None)


@dataclass(frozen=True)
class Outcomes:
    """What came of the tests."""

    passed: tuple[str, ...]
    differs: dict[str, str]
    """The first line of what the test says, by the name of the test."""
    left_out: dict[str, str]
    """Why a test is not for our trees, by its name."""

    @property
    def unexplained(self) -> list[str]:
        """The tests that differ without a known reason."""
        return [name for name in self.differs if explanation(name) is None]


def explanation(name: str) -> str | None:
    """Say why a test, by its name with its parameters, comes out otherwise; None: it should not."""
    return EXPLAINED.get(name.partition("[")[0])


def run(only: str = "") -> Outcomes:
    """Run the tests in a process of their own; `only` is an expression for pytest's -k."""
    with tempfile.TemporaryDirectory() as folder:
        settings, found = Path(folder) / "pytest.ini", Path(folder) / "outcomes.json"
        settings.write_text("[pytest]\n")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(settings)]
        command += ["-p", "benchmarks.agreement.sklearn_plugin", "--outcomes", str(found)]
        command += ["--pyargs", TESTS, "-k", only]
        paths = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        ended = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        if not found.exists():
            raise RuntimeError(f"The tests were not run:\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
        content = json.loads(found.read_text())
    return Outcomes(tuple(content["passed"]), content["differs"], content["left out"])
