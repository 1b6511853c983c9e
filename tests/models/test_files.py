"""Trees in files: exact round trips, and hostile files that must not crash or pass for a tree."""

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from finished_trees import deep, golf, grown, mixed, random_finished, referring, regression
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.trees import digest
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoder

GOLDEN = Path(__file__).parents[1] / "golden" / "tree-v1.json"
BYTE_EDITS = 21_000  # of whole files, by bytes
CONTENT_EDITS = 4_500  # of the content, with the digest made to fit
MAKERS = [golf, mixed, regression, referring]


def sealed(content):
    """The content as a file whose digest fits."""
    return json.dumps({**content, "sha256": digest(content)})


def answers(tree):
    """Answers for rows with values of every kind: a tree that loads must be able to give them."""
    rows = [[None] * tree.n_features, [0.5] * tree.n_features, [-3.0] * tree.n_features]
    for j, column in enumerate(tree.columns):
        if column.categories:
            rows[1][j], rows[2][j] = column.categories[0], "never seen"
    return [tree.decide(row) for row in rows]


# Round trips


@pytest.mark.parametrize("make", MAKERS)
def test_a_saved_tree_comes_back_the_same(make, tmp_path):
    tree = make()
    tree.save(tmp_path / "tree.json")
    back = Tree.load(tmp_path / "tree.json")
    assert back == tree
    assert str(back) == str(tree)
    assert back.to_json() == tree.to_json()
    if tree.classes is not None:
        assert back.classes.dtype == tree.classes.dtype


@given(st.integers(0, 2**32 - 1), st.booleans())
@settings(deadline=None, max_examples=50)
def test_random_trees_come_back_to_the_last_bit(seed, as_regression):
    tree = random_finished(np.random.default_rng(seed), regression=as_regression)
    assert Tree.from_json(tree.to_json()) == tree


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_exact(number):
    core = golf().core
    threshold = core.threshold.copy()
    threshold[1] = number
    tree = Tree(
        _core.Tree.from_arrays(core.to_arrays() | {"threshold": threshold}), golf().encoder, ["a", "b"]
    )
    back = Tree.from_json(tree.to_json())
    assert back == tree
    assert back.core.threshold.tobytes() == threshold.tobytes()


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["no", "yes, please"]),
        np.array([3, 5], dtype=np.int8),
        np.array([2**63, 2**64 - 1], dtype=np.uint64),
        np.array([0.1, 0.2], dtype=np.float32),
        np.array([-1.5, 1e300]),
        np.array([False, True]),
        np.array(["a", 2], dtype=object),
        np.array(["", "ü\n\u2028"]),
    ],
    ids=repr,
)
def test_classes_keep_their_type(classes):
    tree = Tree(golf().core, golf().encoder, classes)
    back = Tree.from_json(tree.to_json())
    assert back.classes.dtype == classes.dtype
    assert back.classes.tolist() == classes.tolist()


@pytest.mark.parametrize(
    "classes",
    [
        np.array([b"a", b"b"]),
        np.array([1 + 2j, 3j]),
        np.array([np.nan, 1.0]),
        np.array([(1,), None], dtype=object),
        np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"),
    ],
    ids=repr,
)
def test_what_cannot_be_read_back_is_not_written(classes):
    with pytest.raises(ValueError, match="classes"):
        Tree(golf().core, golf().encoder, classes).to_json()


def test_prices_of_other_columns_are_not_written():
    with pytest.raises(ValueError, match="Outloook"):
        golf(Costs({"Outloook": 1})).to_json()


def test_categories_that_json_cannot_hold_are_not_written():
    with pytest.raises(ValueError, match="category"):
        grown(pd.DataFrame({"pair": [(1, 2), (3, 4)]}), ["a", "b"]).to_json()


def test_a_deep_tree_is_not_nested():
    tree = deep(5000)
    assert Tree.from_json(tree.to_json()) == tree


def test_the_golden_file_of_version_1_stays_loadable():
    tree = Tree.load(GOLDEN)
    assert tree == golf()
    assert tree.text() == golf().text()
    assert tree.decide({"Outlook": "Sunny", "Temperature": 70, "Humidity": 70, "Windy": "true"}) == "Yes"


# What is wrong is said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "JSON"),
        (b"\xff\xfe\x00", "JSON"),
        ("[" * 200_000, "JSON"),
        ('{"a":' * 100_000, "JSON"),
        ('{"format": NaN}', "holds NaN"),
        ('{"format": -Infinity}', "holds -Infinity"),
        ('{"format": "a", "format": "b"}', "same key twice"),
        ("[]", "must be an object"),
        ("3", "must be an object"),
        ("null", "must be an object"),
        ("{}", "format must be 'thriftwood-tree'"),
        ('{"format": "thriftwood-tree"}', "version is None; this library reads version 1"),
        ('{"format": "thriftwood-tree", "version": 2}', "version is 2; this library reads version 1"),
        ('{"format": "thriftwood-tree", "version": true}', "version is True"),
        ('{"format": "thriftwood-tree", "version": 1}', "lacks the entry 'sha256'"),
        ("1" * 5000, "JSON"),
    ],
)
def test_not_a_tree(text, words):
    with pytest.raises(TreeFileError, match=words):
        Tree.from_json(text)


def test_a_changed_digit_is_noticed():
    with pytest.raises(TreeFileError, match="sha256"):
        Tree.from_json(golf().to_json().replace("75.0", "76.0"))


def test_a_file_that_is_too_long(monkeypatch, tmp_path):
    golf().save(tmp_path / "tree.json")
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    with pytest.raises(TreeFileError, match="more than 100 bytes"):
        Tree.load(tmp_path / "tree.json")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        Tree.load(tmp_path / "nothing.json")


def put(content, path, value):
    *parents, last = path.split(".")
    for key in parents:
        content = content[key]
    content[last] = value


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("classes", None, "classes must be an object"),
        ("classes.dtype", "complex128", "classes.dtype must be one of"),
        ("classes.dtype", ["str"], "classes.dtype must be one of"),
        ("classes.dtype", "int64", "values of type int64"),
        ("classes.values", ["No"], "must list 2 classes"),
        ("classes.values", ["No", "No"], "must differ"),
        ("classes.values", ["No", "Yes\0"], "do not all fit"),
        ("classes.more", 1, "unknown entry 'more'"),
        ("tree.more", 1, "unknown entry 'more'; entries: .*, smoothing"),
        ("note", 7, "note must be a printable text"),
        ("note", "\x1b[2J", "note must be a printable text"),
        ("note", "a" * 2001, "note must be a printable text"),
        ("encoder.n_features", 5, "encoder is wrong"),
        ("encoder.n_features", 2**31 - 1, "encoder is wrong"),
        ("encoder.categorical", {}, "column 'Outlook' has 0 categories in the encoder, but 3"),
        ("costs", [], "costs must be an object or null"),
        ("costs.tests", {"Outlook": -1}, "costs are wrong"),
        ("costs.tests", {"Sea": 1}, "costs are wrong.*'Sea'"),
        ("tree.width", 3, "16 numbers, but there are 8 nodes of width 3"),
        ("tree.width", True, "of width True"),
        ("tree.regression", 0, "true or false"),
        ("tree.regression", True, "regression"),
        ("tree.nodes.kind", [2, 1, 0, 2, 0, 0, 0, 256], "from 0 to 255"),
        ("tree.nodes.label", [2**31] * 8, "integers from -2147483648"),
        ("tree.nodes.label", [1.0] * 8, "list of ints"),
        ("tree.nodes.label", [True] * 8, "list of ints"),
        ("tree.nodes.weight", [1] * 8, "list of floats"),
        ("tree.nodes.weight", [-1.0] * 8, "weight that is negative"),
        ("tree.nodes.first_child", [0] * 8, "has children outside"),
        ("tree.nodes.label", [0] * 7, "7 entries, but there are 8"),
        ("tree.feature_values", [3, 0, 0], "node"),
        ("tree.branch_map", [0, 1, 9, 0, 1], "a branch it does not have"),
        ("tree.surrogates", {}, "lacks the entry 'kind'"),
    ],
)
def test_sealed_but_wrong(path, value, words):
    content = json.loads(golf().to_json())
    put(content, path, value)
    with pytest.raises(TreeFileError, match=words):
        Tree.from_json(sealed(content))


def test_an_infinity_in_disguise():
    text = golf().to_json().replace("75.0", "1e999")
    with pytest.raises(TreeFileError, match="JSON"):
        Tree.from_json(text)


def test_regression_with_classes():
    content = json.loads(regression().to_json())
    content["classes"] = {"dtype": "str", "values": ["a"]}
    with pytest.raises(TreeFileError, match="classes must be null"):
        Tree.from_json(sealed(content))


# Fuzz


def edited_bytes(rng, data):
    """Some bytes changed, dropped, doubled, moved, or the file cut off."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        if len(data) < 2:
            break
        at = rng.randrange(len(data))
        match rng.randrange(6):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                data[at] ^= 1 << rng.randrange(8)
            case 2:
                del data[at : at + rng.choice([1, 1, 3, 40])]
            case 3:
                data[at:at] = data[at : at + rng.choice([1, 2, 9])]
            case 4:
                data[at : at + 1] = rng.choice([b"-", b"9", b"0", b"[", b"]", b'"', b",", b"e", b"NaN", b" "])
            case _:
                del data[rng.randrange(1, len(data)) :]
    return bytes(data)


@pytest.mark.parametrize("make", MAKERS)
def test_random_byte_edits_are_refused_or_harmless(make):
    tree = make()
    data = tree.to_json().encode()
    rng = random.Random(make.__name__)
    refused = 0
    for _ in range(BYTE_EDITS // len(MAKERS)):
        edited = edited_bytes(rng, data)
        try:
            loaded = Tree.from_json(edited)
        except ValueError:
            refused += 1
        else:  # only blanks moved
            assert loaded == tree
            assert loaded.to_json() == tree.to_json()
    assert refused > 0.9 * BYTE_EDITS // len(MAKERS)


ODD = [None, True, False, 0, 1, -1, -2, 2, 3, 7, 255, 256, 2**31 - 1, 2**31, -(2**31) - 1, 2**64, 10**400]
ODD += [
    0.0,
    -0.0,
    0.5,
    -1.5,
    75.0,
    1e308,
    5e-324,
    "",
    "a",
    "Sunny",
    "\ud800",
    "x0",
    [],
    [0],
    [[]],
    {},
    {"a": 1},
]


def places(content, found):
    """Every (container, key) in nested content."""
    for key in range(len(content)) if isinstance(content, list) else list(content):
        found.append((content, key))
        if isinstance(content[key], list | dict):
            places(content[key], found)
    return found


def edited_content(rng, text):
    content = json.loads(text)
    del content["sha256"]
    for _ in range(rng.choice([1, 1, 2, 4])):
        container, key = rng.choice(places(content, []))
        match rng.randrange(8):
            case 0 | 1 | 2:
                container[key] = rng.choice(ODD)
            case 3 if isinstance(container[key], int | float):
                container[key] += rng.choice([-1, 1, 0.5, 100])
            case 4:
                del container[key]
            case 5 if isinstance(container, list):
                container.insert(key, container[key])
            case 6 if isinstance(container[key], list):
                rng.shuffle(container[key])
            case _:
                other, place = rng.choice(places(content, []))
                container[key] = json.loads(json.dumps(other[place]))
    return content


@pytest.mark.parametrize("make", MAKERS)
def test_edits_that_fit_their_digest_are_refused_or_a_sound_tree(make):
    text = make().to_json()
    rng = random.Random(make.__name__)
    loaded = 0
    for _ in range(CONTENT_EDITS // len(MAKERS)):
        content = edited_content(rng, text)
        try:
            tree = Tree.from_json(sealed(content))
        except ValueError:
            continue
        loaded += 1
        again = tree.to_json()
        assert Tree.from_json(again) == tree
        kept = json.loads(again)
        assert {key: kept[key] for key in ("classes", "encoder", "tree")} == {
            key: content[key] for key in ("classes", "encoder", "tree")
        }
        assert len(answers(tree)) == 3
        assert tree.text()
        assert len(tree.rules()) == tree.n_leaves
    assert loaded > 20  # some edits are other trees, and those must work


def test_a_loaded_encoder_reads_tables():
    tree = Tree.from_json(golf().to_json())
    assert isinstance(tree.encoder, Encoder)
    with pytest.raises(ValueError, match="expecting 4 features"):
        tree.predict([[1.0]])


def test_a_width_that_no_memory_holds_is_refused():
    content = json.loads(golf().to_json())
    content["tree"] |= {"width": 2**62, "values": [], "nodes": {name: [] for name in files.NODE_FIELDS}}
    with pytest.raises(TreeFileError, match="but there are 0 nodes of width"):
        Tree.from_json(sealed(content))


@pytest.mark.parametrize(
    ("field", "value"), [("first_child", 3), ("first_child", 2**31 - 1), ("first_surrogate", 7)]
)
def test_leaves_point_nowhere(field, value):
    content = json.loads(golf().to_json())
    nodes = content["tree"]["nodes"]
    leaf = nodes["kind"].index(0)
    nodes[field][leaf] = value
    with pytest.raises(TreeFileError, match=f"node {leaf} is a leaf with a test"):
        Tree.from_json(sealed(content))


# Answers that are no class


def test_a_tree_without_further_answers_has_no_entry_for_them():
    assert "answers" not in json.loads(mixed().to_json())
    assert json.loads(referring().to_json())["answers"] == ["refer", "later"]
    assert "refer" in {node.answer for node in referring()}


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (None, "answers must list 2 answers besides the classes, got None"),
        (["refer"], "answers must list 2 answers"),
        (["refer", "later", "never"], "answers must list 2 answers"),
        (["refer", 7], "answers must be texts"),
        (["refer", "refer"], "must differ from each other and from the classes"),
        ({"refer": 1}, "answers must list 2 answers"),
    ],
)
def test_names_of_answers_that_do_not_fit_are_refused(answers, said):
    content = json.loads(referring().to_json())
    content["answers"] = answers
    with pytest.raises(TreeFileError, match=said):
        Tree.from_json(sealed({key: value for key, value in content.items() if key != "sha256"}))


def test_an_answer_that_is_also_a_class_is_refused():
    content = json.loads(referring().to_json())
    content["answers"] = ["refer", str(referring().classes[0])]
    with pytest.raises(TreeFileError, match="from the classes"):
        Tree.from_json(sealed({key: value for key, value in content.items() if key != "sha256"}))


def test_labels_and_losses_that_do_not_fit_are_refused():
    for change in ({"label": 5}, {"loss": -1}):
        content = json.loads(referring().to_json())
        if "label" in change:
            content["tree"]["nodes"]["label"][-1] = content["tree"]["width"] + 2
        else:
            content["tree"]["loss"].pop()
        with pytest.raises(TreeFileError, match=r"label outside|loss matrix of another size"):
            Tree.from_json(sealed({key: value for key, value in content.items() if key != "sha256"}))


def test_names_for_a_tree_without_further_answers_are_refused():
    content = json.loads(mixed().to_json()) | {"answers": ["refer"]}
    with pytest.raises(TreeFileError, match="answers must list 0 answers"):
        Tree.from_json(sealed({key: value for key, value in content.items() if key != "sha256"}))
