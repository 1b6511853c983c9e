"""What a page says of answers, points and pairs."""

import json
import re

import numpy as np

import thriftwood as tw
from thriftwood.report.points import own_point


def test_a_model_with_the_published_value_is_its_own_point():
    golf = tw.load_dataset("golf-nominal")
    model = tw.algorithm("eg2", costs=golf.costs).fit(golf.X, golf.y)
    found = tw.frontier(model, golf.X, golf.y, values=[0, 1, 4], cv=2, random_state=0)
    assert own_point(found, model) == 1


def test_no_number_is_called_right():
    X = np.arange(20.0).reshape(-1, 1)
    model = tw.CostTreeRegressor(growth=tw.Growth(max_depth=1)).fit(X, X[:, 0] ** 2)
    page = model.report(X, X[:, 0] ** 2, costs=tw.Costs({"x0": 1})).html
    data = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S)[1])
    assert {case["wrong"] for case in data["cases"]} == {None}


def test_many_classes_without_a_mistake_have_no_pairs_that_cost():
    labels = np.array([f"c{i:02}" for i in range(20)])
    X = np.arange(20.0).reshape(-1, 1)
    model = tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit(X, labels)
    page = model.report(X, labels).html
    assert "No answer was wrong." in page
    assert "pairs that cost most" not in page


def test_the_bill_prints_names_on_one_line_without_control_characters():
    X = np.arange(8.0).reshape(-1, 1)
    labels = np.array(["a\x1b[31m", "b\nb"])[(X[:, 0] > 3).astype(int)]
    text = str(tw.bill(tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit(X, labels), X, labels))
    assert "\x1b" not in text
    assert "'b\\nb'" in text
