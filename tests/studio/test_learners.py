"""What the page learns by is what the library learns by: model files of the compiled core, to the byte."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from studio.driving import learnt

import thriftwood as tw
from thriftwood.models.files.trees import to_text
from thriftwood.studio.content import costs_content, table_content
from thriftwood.studio.learners import offered, settings_lines

LEARNERS = {learner.name: learner for learner in offered()}


def random_table(rng):
    """A table of numbers and names, some of them missing, and classes that depend on some."""
    n, features = int(rng.integers(8, 300)), int(rng.integers(1, 8))
    columns = {}
    for j in range(features):
        if rng.random() < 0.5:
            values = np.round(rng.normal(size=n) * 10.0 ** rng.integers(-6, 7), int(rng.integers(0, 9)))
            values[rng.random(n) < rng.choice([0.0, 0.2])] = np.nan
        else:
            values = rng.choice([f"v{i}é" for i in range(int(rng.integers(1, 9)))], n).astype(object)
            values[rng.random(n) < rng.choice([0.0, 0.2])] = None
        columns[f"test {j}"] = values
    X = pd.DataFrame(columns)
    score = sum(pd.factorize(X[name])[0] % 3 for name in X) + rng.normal(size=n)
    y = np.array([f"class {k}" for k in range(4)])[np.clip(score.astype(int), 0, int(rng.integers(1, 4)))]
    y[:2] = ["class 0", "class 1"]
    return X, y


def random_costs(rng, X, classes):
    """Prices with resources, groups and delays, and error costs, some of them with a further answer."""

    def price():
        return float(rng.choice([0, 1, 2.5, 7.27, 102.9, 1 / 3]))

    resources = {"blood draw": price(), "bed": price()}
    tests = {}
    for name in X:
        needs = [resource for resource in resources if rng.random() < 0.2]
        group = "g" if rng.random() < 0.3 else None
        own = price()
        after = own * 0.5 if group else None
        delayed = bool(rng.random() < 0.2)
        tests[name] = tw.Test(own, needs, group=group, after=after, delayed=delayed)
    errors = {a: {b: float(rng.integers(1, 200)) for b in classes if b != a} for a in classes}
    further = {"refer": 12.5} if rng.random() < 0.3 else {}
    settings = {"payment": "upfront" if rng.random() < 0.2 else "sequential"}
    settings["charge_missing"] = bool(rng.random() < 0.8)
    if rng.random() < 0.3:
        return tw.Costs(tests, resources, **settings)
    return tw.Costs(tests, resources, errors=errors, answers=further, **settings)


def asked(rng):
    """Return a random question and the library's own file, or None where the library refuses it."""
    X, y = random_table(rng)
    costs = random_costs(rng, X, sorted(set(y)))
    table = table_content(X, y, "random")
    plain = costs_content(costs, table["classes"], list(X))
    learner = LEARNERS[str(rng.choice(list(LEARNERS)))]
    settings = learner.settings
    model = tw.ThriftClassifier(leaves="class") if learner.name == "thrift" else tw.algorithm(learner.name)
    if learner.weight is not None:
        weight = float(rng.choice([0.001, 0.1, 0.7]))
        model = tw.algorithm(learner.name, **{learner.weight: weight})
        settings += f"parameter.{learner.weight}={weight!r}\n"
    model.set_params(costs=tw.Costs.from_dict(plain))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(X, y)
        except ValueError:
            return None
    return {"table": table, "costs": plain, "settings": settings}, model, X


@pytest.mark.parametrize("block", range(4))
def test_model_files_of_random_tables_prices_and_settings_are_those_of_the_library(tmp_path, block):
    rng = np.random.default_rng(block)
    chosen = [found for found in (asked(rng) for _ in range(60)) if found is not None][:50]
    assert len(chosen) == 50
    answers = learnt(tmp_path, [question for question, _, _ in chosen])
    for answer, (question, model, X) in zip(answers, chosen, strict=True):
        assert answer.get("model") == to_text(model.tree_), (answer.get("error"), question["settings"])
        assert answer["testCost"] == pytest.approx(tw.bill(model, X, costs=model.costs).test_cost, rel=1e-12)
        labels = [*model.classes_, *model.tree_.further]
        assert [labels[int(code)] for code in answer["answers"]] == model.predict(X).tolist()


def test_the_price_list_that_the_page_writes_is_read_as_the_same_costs(tmp_path):
    rng = np.random.default_rng(9)
    questions = [found[0] for found in (asked(rng) for _ in range(12)) if found is not None]
    for answer, question in zip(learnt(tmp_path, questions), questions, strict=True):
        file = tmp_path / "costs.toml"
        file.write_text(answer["toml"], encoding="utf-8")
        assert tw.Costs.from_file(file) == tw.Costs.from_dict(question["costs"])


def test_a_csv_file_that_is_dropped_gives_the_file_that_fit_writes(tmp_path):
    text = (
        'age,smoker,"chol, total",state\n54,yes,240.5,sick\n61,no,?,well\n47,,199,well\n70,yes,301,sick\n' * 5
    )
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    costs = {"tests": {"age": 1, "chol, total": {"price": 7.27, "delayed": True}}, "errors_default": 50}
    lines = LEARNERS["c45"].settings
    (answer,) = learnt(tmp_path, [{"csv": text, "target": "state", "costs": costs, "settings": lines}])
    table = pd.read_csv(file, na_values="?")
    X, y = table.drop(columns="state"), table["state"].to_numpy(dtype=str)
    model = tw.algorithm("c45", costs=tw.Costs.from_dict(costs)).fit(X, y)
    assert json.loads(answer["model"])["tree"] == json.loads(to_text(model.tree_))["tree"]
    assert answer["model"] == to_text(model.tree_)


def assert_dropped_as_read(tmp_path, text, classes):
    """A large table that is dropped is the sample that the page of the file would have."""
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    read = tw.read_table(file, target="state")
    table = table_content(read.X, read.y, "table.csv")
    assert table["classes"] == classes
    question = {"costs": {"tests": {"age": 1}}, "settings": LEARNERS["c45"].settings}
    dropped, written = learnt(tmp_path, [question | {"csv": text}, question | {"table": table}])
    assert dropped["model"] == written["model"]
    assert len(dropped["answers"]) == 100_000
    assert dropped["answers"] == written["answers"]


@pytest.mark.parametrize("odd", ["", "age", "state"])
def test_of_a_large_csv_that_is_dropped_the_same_cases_are_taken_as_of_the_file(tmp_path, odd):
    """What columns and classes are, a single cell says, though its case be left out of the sample."""
    n, left_out = 100_500, 100_499
    age, state = (
        (np.arange(n) * 37 % 90).astype(object),
        np.where(np.arange(n) % 5_000 == 0, "rare", "common"),
    )
    state[::3] = "well"
    state[1 : 1 + 3 * 53 : 3] = "well"  # so that the last row is not in the sample, whatever its class
    classes = ["common", "rare", "well"]
    rows = [[a, s] for a, s in zip(age, state, strict=True)]
    if odd:
        rows[left_out][("age", "state").index(odd)] = "odd"
    if odd == "state":
        classes.insert(1, "odd")
    text = "age,state\n" + "".join(f"{a},{s}\n" for a, s in rows)
    assert_dropped_as_read(tmp_path, text, classes)


def test_of_a_large_csv_of_numbered_classes_the_same_cases_are_taken_as_of_the_file(tmp_path):
    n = 100_500
    age, state = np.arange(n) * 37 % 90, np.arange(n) % 12 + 1
    text = "age,state\n" + "".join(f"{a},{s}\n" for a, s in zip(age, state, strict=True))
    assert_dropped_as_read(tmp_path, text, sorted(map(str, range(1, 13))))


CELLS = ["0x10", "0b1", "1_000", "+3", ".5", "5.", "1e5", "1E-400", "1e", "1 2", "", "?", "NA", "na", "none"]
CELLS += [
    "#N/A",
    "NULL",
    "Null",
    "Nan",
    "-",
    "-nan",
    "12345678901234567",
    "12345678901234568",
    "-9007199254740993",
]


def test_cells_are_numbers_names_or_missing_as_the_reader_finds_them(tmp_path):
    questions, wanted = [], []
    for cell in CELLS:
        text = "age,size,state\n" + f"{cell},1,sick\n2,2,well\n3,1,well\n" * 5
        file = tmp_path / "table.csv"
        file.write_text(text, encoding="utf-8")
        read = tw.read_table(file, target="state")
        costs = {"tests": {"age": 1}}
        questions.append({"csv": text, "costs": costs, "settings": LEARNERS["c45"].settings})
        wanted.append(to_text(tw.algorithm("c45", costs=tw.Costs.from_dict(costs)).fit(read.X, read.y).tree_))
    found = [answer.get("model") for answer in learnt(tmp_path, questions)]
    assert [cell for cell, one, other in zip(CELLS, found, wanted, strict=True) if one != other] == []


def test_words_are_classes_or_missing_as_the_reader_finds_them(tmp_path):
    """Where the reader refuses a row without a class, the page leaves it out."""
    words = ["none", "None", "NULL", "NA", "na", "?", "", "nil", "-", "#N/A", ".", "unknown", "nan", "Null"]
    questions, wanted = [], []
    for word in words:
        text = "age,size,state\n" + f"1,1,{word}\n2,2,well\n3,1,sick\n" * 5
        file = tmp_path / "table.csv"
        file.write_text(text, encoding="utf-8")
        try:
            read = tw.read_table(file, target="state")
        except ValueError:
            file.write_text("age,size,state\n" + "2,2,well\n3,1,sick\n" * 5, encoding="utf-8")
            read = tw.read_table(file, target="state")
        costs = {"tests": {"age": 1}}
        questions.append({"csv": text, "costs": costs, "settings": LEARNERS["c45"].settings})
        wanted.append(to_text(tw.algorithm("c45", costs=tw.Costs.from_dict(costs)).fit(read.X, read.y).tree_))
    found = [answer.get("model") for answer in learnt(tmp_path, questions)]
    assert [word for word, one, other in zip(words, found, wanted, strict=True) if one != other] == []


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e400"])
def test_a_number_that_is_not_finite_is_refused_as_by_fit(tmp_path, cell):
    text = "age,state\n" + f"{cell},sick\n2,well\n" * 5
    (answer,) = learnt(tmp_path, [{"csv": text, "costs": {}, "settings": LEARNERS["c45"].settings}])
    assert answer["error"].startswith(f"Column age holds {cell}, and numbers must be finite.")


def test_classes_that_are_numbers_are_learnt_and_refused_as_by_fit(tmp_path):
    names = [str(i % 26 + 1) + ".0" * (i % 3 == 0) for i in range(260)]
    text = "age,state\n" + "".join(f"{i % 26},{name}\n" for i, name in enumerate(names))
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    read = tw.read_table(file, target="state")
    model = tw.algorithm("c45", costs=tw.Costs({"age": 1})).fit(read.X, read.y)
    question = {"csv": text, "costs": {"tests": {"age": 1}}, "settings": LEARNERS["c45"].settings}
    halves = question | {"csv": "age,state\n" + "1,0.5\n2,1.5\n" * 5}
    many = question | {"csv": "age,state\n" + "".join(f"{i},{i % 51}\n" for i in range(102))}
    taken, *refused = learnt(tmp_path, [question, halves, many])
    assert taken["model"] == to_text(model.tree_)
    assert len(model.classes_) == 26
    wanted = "where classes are wanted: whole numbers, 50 at most."
    assert [wanted in one["error"] for one in refused] == [True, True]


def test_a_csv_may_begin_with_empty_lines(tmp_path):
    rows = "age;state\n" + "1,5;sick\n2;well\n3;well\n" * 5
    question = {"costs": {"tests": {"age": 1}}, "settings": LEARNERS["c45"].settings}
    first, second = learnt(tmp_path, [question | {"csv": rows}, question | {"csv": f"\ufeff\r\n \n{rows}"}])
    assert first["model"] == second["model"]


def test_a_dropped_csv_has_decimal_commas_where_the_reader_finds_them(tmp_path):
    # The last table but one has only commas that can be thousands; the last has commas between its cells.
    tables = [(";", "38,5", "71"), ("\t", "38,5", "71"), (";", "1,234", "71,25"), (";", "1,234", "71")]
    tables.append((",", '"38,5"', '"71,25"'))
    asked_for, wanted, nominal = [], [], []
    costs = {"tests": {"fever": 1}}
    for separator, fever, weight in tables:
        second = '"2,345"' if separator == "," else "2,345"
        rows = [[fever, weight, "sick"], [second, "60", "well"], ["", "1e2", "well"]] * 5
        text = "\n".join(separator.join(row) for row in [["fever", "weight", "state"], *rows])
        file = tmp_path / "table.csv"
        file.write_text(f"\ufeff{text}\n", encoding="utf-8")
        table = tw.read_table(file, target="state")
        asked_for.append({"csv": f"\ufeff{text}\n", "costs": costs, "settings": LEARNERS["c45"].settings})
        model = tw.algorithm("c45", costs=tw.Costs.from_dict(costs)).fit(table.X, table.y)
        wanted.append(to_text(model.tree_))
        nominal.append([name for name in table.X if table.X[name].dtype.kind != "f"])
    assert [answer["model"] for answer in learnt(tmp_path, asked_for)] == wanted
    assert nominal == [[], [], [], ["fever"], ["fever", "weight"]]


def test_what_the_core_refuses_is_said_in_words(tmp_path):
    table = table_content([[1.0], [2.0]], ["a", "b"], "two")
    upfront = {"tests": {"x0": 1}, "payment": "upfront"}
    questions = [{"table": table, "costs": upfront, "settings": ""}]
    questions.append({"table": table, "costs": {}, "settings": "criterion=magic\n"})
    first, second = learnt(tmp_path, questions)
    assert first["error"].endswith("so tests are paid one by one: payment 'sequential'.")
    assert second["error"] == "The core does not know the setting 'criterion=magic'."


def test_a_rule_of_pruning_that_the_page_does_not_have_is_refused():
    with pytest.raises(ValueError, match="prunes by Pessimistic and ExpectedCost"):
        settings_lines(tw.algorithm("c45", pruning=tw.ReducedError()), 10)
