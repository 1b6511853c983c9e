"""Model files whose checksums fit: loaded, and asked for all that a model is asked for, if they load."""

import functools
import json
import random

import numpy as np
from ensembles.learners import mixed_table
from finished_trees import RANDOM_PRICES, golf, grown, mixed, random_finished, referring, regression
from fuzz.campaign.kind import check_words
from fuzz.campaign.mutations import PIECES, mutated, with_fitting_digests
from random_cascades import golf_cascade, random_cascade

import thriftwood as tw
from thriftwood.clarify.model import Model as ClarifyModel
from thriftwood.clarify.model import ModelFileError
from thriftwood.clarify.patterns import Sign
from thriftwood.clarify.plan import Plan, from_words
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.loading import READ_AS, from_json
from thriftwood.table import Kind
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import CategoryColumn, Codes, NumberColumn

PRICES = tw.Costs({"age": 5, "kind": tw.Test(1, needs=["visit"]), "noise": 1}, {"visit": 2})


def _panel(name, **settings):
    X, y = mixed_table(40)
    return tw.algorithm(name, costs=PRICES, random_state=0, **settings).fit(X, y).model_


def _bayes(errors):
    X, y = mixed_table(40)
    classes = np.where(np.asarray(y) == np.asarray(y)[0], "a", "b")
    costs = tw.Costs(PRICES.tests, PRICES.shared, errors=errors)
    return tw.algorithm("dtnb", costs=costs).fit(X, classes).model_


def _clarify():
    patterns = [["count", "f"], ["inside", "f", "g"], ["without", "f", "h"]]
    plan = Plan(tuple(map(from_words, patterns)))
    signs = (Sign("ending", "exit 1"), Sign("says", "* is wrong"))
    names = [str(feature) for feature in (*plan.patterns, *signs)]
    X = np.array([[1, 0, 0, 1, 0], [2, 0, 1, 0, 0], [3, 1, 0, 1, 1], [4, 1, 1, 0, 0]] * 3, dtype=float)
    costs = tw.Costs(dict.fromkeys(names, 2.0))
    tree = tw.CostTreeClassifier("entropy", costs=costs).fit(X_named(names, X), list("abcb") * 3).tree_
    figures = {"accuracy": 0.9, "confirmed": 0.8, "n_runs": 12.0}
    build = {"m": "1"}
    return ClarifyModel(
        tree, plan, {"a": "Look there."}, build, "python", figures, {"a": {"exit 1": 3}}, signs
    )


def X_named(names, values):
    """An array with names, as a table."""
    columns = [
        NumberColumn(np.ascontiguousarray(column), name) for name, column in zip(names, values.T, strict=True)
    ]
    return NamedColumns(names, columns, len(values))


TEMPLATES = {
    "trees": (
        lambda: golf(),
        lambda: grown([[0.0], [1.0], [2.0]], [0, 1, 1], criterion="entropy", min_split_weight=0.0),
        lambda: random_finished(np.random.default_rng(1), costs=RANDOM_PRICES),
        lambda: random_finished(np.random.default_rng(2), n_tests=3),
        lambda: random_finished(np.random.default_rng(3), regression=True),
        lambda: mixed(max_depth=3),
        lambda: regression(),
        lambda: referring(),
    ),
    "panels": (
        lambda: _panel("bagging", n_estimators=2),
        lambda: _panel("boosting", n_estimators=2, variant="samme", short_cut=True),
        lambda: _panel("cocost", alphas=(0.1,), rounds=2),
    ),
    "boosters": (lambda: _panel("gradient-boosting", n_estimators=3, min_leaf_weight=2),),
    "cascades": (
        lambda: random_cascade(37),
        lambda: random_cascade(1, n_classes=3),
        lambda: golf_cascade(),
    ),
    "naive Bayes": (
        lambda: _bayes({"a": {"b": 900}, "b": {"a": 700}}),
        lambda: _bayes({"a": {"b": 900, "refer": 90}, "b": {"a": 700, "refer": 90}}),
    ),
    "clarify models": (_clarify,),
}


@functools.cache
def templates(kind):
    """The objects of sound files of a kind, with checksums that always fit, and their texts."""
    contents = [json.loads(make().to_json()) for make in TEMPLATES[kind]]
    return [with_fitting_digests(content) for content in contents], [
        json.dumps(content) for content in contents
    ]


def load_and_ask(kind, seed):
    """Load a changed file; ask it whatever a model is asked, if it loads. Tell whether it did."""
    rng = random.Random(seed)
    contents, texts = templates(kind)
    place = rng.randrange(len(contents))
    try:
        if rng.random() < 0.03:
            model = _from_text(kind, _changed_bytes(texts[place], rng))
        else:
            content = mutated(contents[place], rng, rng.choice(contents))
            model = _reader(kind, content).from_content(content)
    except (ModelFileError, TreeFileError) as refusal:
        _check_promised(kind, refusal)
        return False
    ask(model.tree if kind == "clarify models" else model, rng)
    return True


def _check_promised(kind, refusal):
    assert isinstance(refusal, ModelFileError if kind == "clarify models" else TreeFileError)
    check_words(refusal)


def _reader(kind, content):
    written = content.get("format") if isinstance(content, dict) else None
    if kind == "clarify models":
        return ClarifyModel
    return READ_AS.get(written if isinstance(written, str) else "", tw.Tree)


def _from_text(kind, text):
    return ClarifyModel.from_json(text) if kind == "clarify models" else from_json(text)


def _changed_bytes(text, rng):
    content = bytearray(text.encode())
    for _ in range(rng.choice((1, 2, 5))):
        place = rng.randrange(len(content))
        match rng.randrange(4):
            case 0:
                content[place] = rng.randrange(256)
            case 1:
                del content[place : place + rng.randrange(1, 40)]
                content += b" "
            case 2:
                content[place:place] = rng.choice(PIECES).encode(errors="surrogatepass")
            case 3:
                content[place:place] = b"[" * rng.choice((1, 20_000))
    return bytes(content)


def ask(model, rng):
    """Ask a model that was loaded for answers, bills and words; it may refuse a table, in words."""
    X = table_for(model, rng)
    try:
        answers = model.predict(X)
        assert answers.shape == (X.n_rows,)
        if model.classes is not None:
            assert model.predict_proba(X).shape == (X.n_rows, len(model.classes))
        bill = tw.bill(model, X, None, model.costs or tw.Costs())
        assert bill.test_cost.shape == (X.n_rows,)
        if rng.random() < 0.1:
            written = model.to_json()
            assert type(model).from_json(written).to_json() == written
            assert model.without_idle_tests().predict(X).shape == (X.n_rows,)
            str(bill)
            assert str(model)
            for part in model.parts:
                part.tree.text()
                part.tree.rules()
    except (ValueError, TypeError) as refusal:
        check_words(refusal)


def table_for(model, rng, n_rows=4):
    """A table with the columns that a model wants: any number, any category, nothing."""
    random_numbers = np.random.default_rng(rng.randrange(2**32))
    columns = []
    for column in model.columns:
        if column.kind is Kind.NUMERIC:
            values = random_numbers.choice([-1e300, -1.0, 0.0, 0.5, 1.0, 75.0, 1e300, np.nan], n_rows)
            columns.append(NumberColumn(values, column.label))
        else:
            categories = [*column.categories, "\u2026"]
            codes = random_numbers.integers(-1, len(categories), n_rows).astype(np.int32)
            columns.append(CategoryColumn(Codes(codes, categories, declared=True), column.label, column.kind))
    return NamedColumns(model.encoder.feature_names, columns, n_rows)
