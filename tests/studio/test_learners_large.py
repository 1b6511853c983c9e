"""Of tables of more than 3,000 cases the page's own learner chooses what the library chooses, to the byte."""

import numpy as np
import pandas as pd
import pytest
from studio.driving import learnt

import thriftwood as tw
from thriftwood.models.files.trees import to_text
from thriftwood.studio.content import costs_content, table_content


def little_to_tell():
    """One test tells a little: a quarter of the cases leaves open whether it pays."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(4000, 3)), columns=list("abc"))
    y = np.where(rng.random(4000) < 0.3 + 0.1 * (X["a"] > 0), "sick", "well")
    errors = {"well": {"sick": 1.0}, "sick": {"well": 1.8}}
    return X, y, tw.Costs(dict.fromkeys("abc", 0.05), errors=errors)


def many_questions():
    """450 questions of 10,620 cases: their work is more than 32 bits count, and little above that."""
    rng = np.random.default_rng(0)
    names = [f"x{i}" for i in range(30)]
    X = pd.DataFrame(rng.normal(size=(10_620, 30)).round(3), columns=names)
    y = np.where(X["x0"] + rng.normal(size=len(X)) > 0.5, "sick", "well")
    errors = {"well": {"sick": 1.0}, "sick": {"well": 1.0}}
    return X, y, tw.Costs(dict.fromkeys(names, 0.02), errors=errors)


def sampled():
    """750,000 cells: the tree is learnt from a sample of 600,000, and its leaves count all cases."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(25_000, 30)).round(2), columns=[f"x{i}" for i in range(30)])
    y = np.where(X["x3"] + 0.5 * rng.normal(size=len(X)) > 0.8, "sick", "well")
    return X, y, tw.Costs(dict.fromkeys(X, 0.01), errors={"well": {"sick": 1.0}, "sick": {"well": 5.0}})


@pytest.mark.parametrize(
    ("made", "how"),
    [
        (little_to_tell, "by 4 folds, dealt 3 times"),
        (many_questions, "on a quarter of the cases"),
        (sampled, "on a quarter of the cases"),
    ],
)
def test_thrift_of_many_cases_is_that_of_the_library(tmp_path, made, how):
    X, y, costs = made()
    table = table_content(X, y, "large")
    plain = costs_content(costs, table["classes"], list(X))
    model = tw.ThriftClassifier(tw.Costs.from_dict(plain), leaves="class").fit(X, y)
    (answer,) = learnt(tmp_path, [{"table": table, "costs": plain, "settings": ""}])
    assert answer.get("model") == to_text(model.tree_), answer.get("error")
    assert model.choice_.endswith(f"{how}.")
