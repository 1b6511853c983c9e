"""The plain form of a tree in SQL answers as the library does, in the time of a CASE."""

import duckdb
import numpy as np
import pandas as pd
import pytest
from cli.commands import thriftwood
from export.random_cases import random_case
from export.running import framed
from finished_trees import deep, shared_out
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw


def answers(query, X, table="cases"):
    with duckdb.connect() as database:
        database.execute("SET threads = 1")
        database.register(table, X)
        return [row[1] for row in database.execute(f"{query} ORDER BY case_id").fetchall()]


@given(seed=st.integers(0, 2**32 - 1), surrogates=st.booleans())
@settings(max_examples=15, deadline=None)
def test_answers_are_those_of_the_library(seed, surrogates):
    tree, rows = random_case(seed, n_rows=100, one_way=True, surrogates=surrogates)
    X = framed(tree, rows)
    found = answers(tw.export_sql(tree, plain=True), X)
    assert found == pytest.approx(tree.predict(X).tolist()) if tree.regression else tree.predict(X).tolist()


def test_cases_that_would_be_shared_out_are_refused_or_have_no_answer():
    tree = shared_out()
    with pytest.raises(
        ValueError, match=r"Node \d+ of this tree asks .* down several branches.*undecided='null'"
    ):
        tw.export_sql(tree, plain=True)
    name = tree.feature_names[int(tree.core.feature[0])]
    X = pd.DataFrame({column: [1.0] for column in tree.feature_names})
    X[name] = np.nan
    query = tw.export_sql(tree, plain=True, undecided="null")
    assert answers(query, X) == [None]


def test_a_wrong_word_score_cards_and_a_tree_too_deep_are_refused():
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit([[1.0], [2.0]], ["no", "yes"])
    with pytest.raises(ValueError, match="undecided is 'refuse', or with plain=True 'null'"):
        tw.export_sql(model, undecided="null")
    with pytest.raises(ValueError, match="tests on a path, too many for an expression"):
        tw.export_sql(deep(400), plain=True, undecided="null")


def test_the_shell_has_it_too(tmp_path):
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit([[1.0], [2.0]], ["no", "yes"])
    path = tmp_path / "tree.json"
    model.save(path)
    run = thriftwood("export", path, "--to", "sql", "--plain", "--table", "patients")
    assert run.out == tw.export_sql(model.tree_, "patients", plain=True)
    assert "CASE WHEN v0 > 1.5e0 THEN 'yes' ELSE 'no' END AS answer" in run.out
    assert thriftwood("export", path, "--to", "c", "--plain").code == 2
