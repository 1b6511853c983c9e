"""Trees as ONNX graphs: an ensemble of one tree, with doubles for cuts, finds the ending of each row.

The ensemble gives the number of the ending, and lookups give its answer and its class shares: so an answer
chosen by error costs stays what it is, and nothing is rounded to single precision. Categories are turned
into numbers by lookups as well: ensembles with sets of categories and shared leaves (ai.onnx.ml 5) got wrong
answers from onnxruntime 1.21 and 1.22.
"""

from __future__ import annotations

import math
from itertools import count
from os import PathLike, fspath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.saving import replacing
from thriftwood.export.ensemble import Ensemble, category_numbers
from thriftwood.export.plan import Asked, Plan, plan, tree_of
from thriftwood.export.quoting import plain

_OPSETS = {"": 15, "ai.onnx.ml": 3}  # ai.onnx.ml 3 is the first whose ensembles have doubles
_IR_VERSION = 8
_MOST_LEAVES = 2**24  # an ensemble gives single precision, which counts exactly so far


def export_onnx(
    model: Any,
    path: str | PathLike[str] | None = None,
    *,
    undecided: Literal["refuse", "nan"] = "refuse",
) -> Any:
    """Write a tree as an ONNX model.

    Parameters
    ----------
    model : fitted estimator, search, or Tree
        The tree to write.
    path : path, optional
        Where to save the model as well.
    undecided : {"refuse", "nan"}
        What becomes of a case that the tree sends down several branches or to surrogates, because a value is
        missing or a category has no branch; ONNX has no form for that. "refuse": a tree that could do so is
        not exported. "nan": it is, and such a case gets NaN for its probabilities or its number, and a label
        that is no class: "undecided" among texts (with underscores after it, if that is a class), the first
        of -1, -2, ... that is no class among whole numbers, NaN among other numbers. Truth values are then
        written as 0 and 1, so that -1 is free. That is the choice when every value will be there.

    Returns
    -------
    onnx.ModelProto
        Its inputs are the tests that the tree can ask, each of shape (rows, 1) under its own name: doubles,
        NaN for a missing value; or text for a test whose categories are text, "" for a missing value (unless
        "" is a category). Its outputs are ``label`` and ``probabilities``, or ``number`` for a regression
        tree.

    Raises
    ------
    ImportError
        If onnx is not installed.
    ValueError
        If the tree has no ONNX form; the message says which node stands against it and what to do.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier, Growth
    >>> export_onnx(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]))
    Traceback (most recent call last):
    ValueError: Node 0 of this tree asks 'x0' and sends cases with missing values down several branches, ...
    >>> model = CostTreeClassifier(growth=Growth(missing="majority")).fit([[1.0], [2.0]], ["no", "yes"])
    >>> graph = export_onnx(model).graph  # doctest: +SKIP
    >>> [entry.name for entry in graph.input], [entry.name for entry in graph.output]  # doctest: +SKIP
    (['x0'], ['label', 'probabilities'])
    """
    if undecided not in ("refuse", "nan"):
        raise ValueError(f"undecided must be 'refuse' or 'nan', got {undecided!r}.")
    made = plan(tree_of(model, "ONNX"))
    ensemble = Ensemble(made, allow_undecided=undecided == "nan")
    if len(ensemble.leaves) > _MOST_LEAVES:
        raise ValueError(f"The tree has more than {_MOST_LEAVES:,} leaves, too many for ONNX. Prune it.")
    onnx = _imported()
    written = _Graph(onnx, made, ensemble).model()
    if path is not None:
        with replacing(path) as new:
            onnx.save(written, fspath(new))
    return written


def _imported() -> Any:
    try:
        import onnx
    except ImportError:
        raise ImportError(
            "Exporting to ONNX needs the package onnx. Install it with: pip install onnx"
        ) from None
    return onnx


class _Graph:
    """Inputs, codes of texts, the ensemble and the lookups, put together."""

    def __init__(self, onnx: Any, made: Plan, ensemble: Ensemble) -> None:
        self.onnx, self.make, self.types = onnx, onnx.helper, onnx.TensorProto
        self.made, self.ensemble = made, ensemble
        self.taken = {test.name for test in made.tests}
        self.steps: list[Any] = []
        self.constants: list[Any] = []

    def model(self) -> Any:
        tests = self.made.tests
        inputs = [self._value(test.name, self._type_of(test), 1) for test in tests]
        answers = self._answers()  # first, so that nothing takes the names of the outputs
        if not tests:  # a tree that asks nothing still has to be told how many answers are wanted
            inputs = [self._value(self._free("rows"), self.types.DOUBLE, 1)]
        ending = self._ending() if self.ensemble.comparisons else self._zeros(inputs[0].name)
        for name, table, _ in answers:
            self.steps.append(self.make.make_node("Gather", [self._constant(table), ending], [name], axis=0))
        outputs = [self._value(name, kind, *table.shape[1:]) for name, table, kind in answers]
        graph = self.make.make_graph(self.steps, "tree", inputs, outputs, self.constants)
        opsets = [self.make.make_opsetid(domain, version) for domain, version in _OPSETS.items()]
        written = self.make.make_model(
            graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="thriftwood"
        )
        self.onnx.checker.check_model(written)
        return written

    def _type_of(self, test: Asked) -> Any:
        if not test.name:
            raise ValueError("An input of ONNX must have a name. Give the column a name before fit.")
        text = test.categories is not None and category_numbers(test) is None
        return self.types.STRING if text else self.types.DOUBLE

    def _ending(self) -> str:
        """Find the number of every row's leaf."""
        first: dict[int, int] = {}  # test -> its first column in the table
        columns, width = [], 0
        for number in sorted({comparison.test for comparison in self.ensemble.comparisons}):
            first[number] = width
            ways = self.ensemble.ways.get(number)
            width += len(ways) if ways else 1
            test = self.made.tests[number]
            columns.append(self._ways(test, ways) if ways else test.name)
        found = self._add(
            "TreeEnsembleRegressor", [self._add("Concat", columns, axis=1)], **self._nodes(first)
        )
        whole = self._add("Cast", [found], to=self.types.INT64)
        return self._add("Reshape", [whole, self._constant(np.array([-1]))])

    def _ways(self, test: Asked, ways: list[list[int]]) -> str:
        """Look up the columns of ways that a test with categories becomes."""
        numbers = category_numbers(test)
        code = self._code_of_text(test) if numbers is None else self._code_of_number(test, numbers)
        flat = self._add("Reshape", [code, self._constant(np.array([-1]))])
        return self._add("Gather", [self._constant(np.array(ways, dtype=np.float64).T), flat], axis=0)

    def _code_of_text(self, test: Asked) -> str:
        """Give a text's place among the categories; "" is missing unless it is a category itself."""
        categories = list(test.categories or ())
        missing, unseen = len(categories), len(categories) + 1
        return self._add(
            "LabelEncoder",
            [test.name],
            domain="ai.onnx.ml",
            keys_strings=categories if "" in categories else [*categories, ""],
            values_int64s=[*range(missing + ("" not in categories))],
            default_int64=unseen,
        )

    def _code_of_number(self, test: Asked, categories: list[float]) -> str:
        """Give a number's place among the categories: the first that holds of equal, missing, unseen."""
        equal = self._add("Equal", [test.name, self._constant(np.array([categories]))])
        missing = self._add("IsNaN", [test.name])
        unseen = self._add("Equal", [missing, missing])  # always true
        marks = self._add("Concat", [equal, missing, unseen], axis=1)
        counted = self._add("Cast", [marks], to=self.types.INT32)
        return self._add("ArgMax", [counted], axis=1, keepdims=1)

    def _nodes(self, first: dict[int, int]) -> dict[str, Any]:
        """Give the arrays of the ensemble: the comparisons, then the leaves."""
        comparisons, leaves = self.ensemble.comparisons, len(self.ensemble.leaves)
        size = len(comparisons)
        numbers = [*range(size + leaves)]
        none = [0] * leaves
        cuts = np.array([comparison.cut for comparison in comparisons] + none, dtype=np.float64)

        def number(leads: list[Any]) -> list[int]:
            return [place.number + (size if place.leaf else 0) for place in leads] + none

        return {
            "domain": "ai.onnx.ml",
            "n_targets": 1,
            "aggregate_function": "SUM",
            "nodes_treeids": [0] * len(numbers),
            "nodes_nodeids": numbers,
            "nodes_modes": ["BRANCH_LEQ"] * size + ["LEAF"] * leaves,
            "nodes_featureids": [first[c.test] + c.column for c in comparisons] + none,
            "nodes_values_as_tensor": self._tensor(cuts),
            "nodes_truenodeids": number([c.passed for c in comparisons]),
            "nodes_falsenodeids": number([c.failed for c in comparisons]),
            "nodes_missing_value_tracks_true": [int(c.missing) for c in comparisons] + none,
            "target_treeids": none,
            "target_nodeids": numbers[size:],
            "target_ids": none,
            "target_weights_as_tensor": self._tensor(np.arange(leaves, dtype=np.float64)),
        }

    def _zeros(self, rows: str) -> str:
        bounds = [self._constant(np.array([bound])) for bound in (0, 1)]
        count = self._add("Slice", [self._add("Shape", [rows]), *bounds])
        return self._add("ConstantOfShape", [count], value=self._tensor(np.array([0])))

    def _answers(self) -> list[tuple[str, NDArray[Any], Any]]:
        """Give each output: its name, its row for every leaf, its type."""
        width = 1 if self.made.classes is None else len(self.made.classes)
        endings = [self.made.endings.get(node) for node in self.ensemble.leaves]
        values = np.array([ending.values if ending else [math.nan] * width for ending in endings])
        if self.made.classes is None:
            return [(self._free("number"), values, self.types.DOUBLE)]
        classes, kind = self._classes(self.made.answers, open_cases=None in endings)
        labels = classes[[ending.label if ending else -1 for ending in endings]]
        return [
            (self._free("label"), labels, kind),
            (self._free("probabilities"), values, self.types.DOUBLE),
        ]

    def _classes(self, classes: tuple[Any, ...], open_cases: bool) -> tuple[NDArray[Any], Any]:
        """Give the labels and their type; where cases may stay undecided, the last label is theirs."""
        types = {type(plain(value, "The target")) for value in classes}
        known = {
            str: (object, self.types.STRING),
            bool: (bool, self.types.BOOL),
            int: (np.int64, self.types.INT64),
            float: (np.float64, self.types.DOUBLE),
        }
        if len(types) > 1:
            raise ValueError(
                f"The classes {'and other answers ' if self.made.further else ''}are of several types, which "
                "an output of ONNX cannot hold. Turn the classes into text before fit."
            )
        found = types.pop()
        if open_cases and found is bool:
            found = int  # there is no third truth value
        dtype, kind = known[found]
        labels = [*classes, *([_undecided_label(classes, found)] if open_cases else [])]
        return np.array(labels, dtype=dtype), kind

    # Pieces of a graph

    def _value(self, name: str, kind: Any, *rest: int) -> Any:
        return self.make.make_tensor_value_info(name, kind, ["rows", *rest])

    def _add(self, operator: str, inputs: list[str], **attributes: Any) -> str:
        output = self._free(operator.lower())
        self.steps.append(self.make.make_node(operator, inputs, [output], **attributes))
        return output

    def _constant(self, array: NDArray[Any]) -> str:
        name = self._free("constant")
        self.constants.append(self._tensor(array, name))
        return name

    def _tensor(self, array: NDArray[Any], name: str = "values") -> Any:
        return self.onnx.numpy_helper.from_array(array, name)

    def _free(self, name: str) -> str:
        """Return a name that nothing in the graph has yet."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def _undecided_label(classes: tuple[Any, ...], kind: type) -> Any:
    """Give a label that is no class.

    Examples
    --------
    >>> _undecided_label(("yes", "undecided"), str), _undecided_label((-1, 0, 1), int)
    ('undecided_', -2)
    """
    if kind is float:
        return math.nan
    tried = ("undecided" + "_" * n for n in count()) if kind is str else count(-1, -1)
    return next(label for label in tried if label not in classes)
