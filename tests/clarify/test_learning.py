"""Learning: the cheapest tree that tells labels apart, and what is said about it."""

import json

import numpy as np
import pytest
from clarify.lucky_runs import lucky_runs
from clarify.plain_calls import profile_of, tree

import thriftwood as tw
from thriftwood.clarify import Model, Pattern, Profile, ProfileError, learn, pattern_table
from thriftwood.clarify.builds import check_build, relevant
from thriftwood.clarify.judging import evaluator_of
from thriftwood.clarify.learning import named_counts, small_tree
from thriftwood.clarify.model import ModelFileError, read_messages
from thriftwood.clarify.pricing import prices_of, without_twins
from thriftwood.clarify.searching import cheapest, greedy, thrifty
from thriftwood.models.files.trees import digest


def calls_only(counts):
    return Profile(tuple(counts), dict(counts))


def noisy_runs(n=120, seed=0):
    """Three labels. `hot` tells them apart at 1,000 calls a run; `a` and `b` do together, at two calls."""
    random = np.random.default_rng(seed)
    labels = [("one", "two", "three")[k % 3] for k in range(n)]
    profiles = []
    for label in labels:
        level = {"one": 500, "two": 1000, "three": 1500}[label]
        counts = {"main": 1, "hot": int(random.normal(level, 20))}
        counts |= {"a": 1} if label == "one" else {}
        counts |= {"b": 3} if label == "two" else {}
        counts |= {f"noise{k}": int(random.integers(1, 50)) for k in range(6)}
        profiles.append(calls_only(counts))
    return profiles, labels


@pytest.fixture(scope="module")
def found():
    profiles, labels = noisy_runs()
    return learn(profiles, labels, features="fc")


def test_rare_functions_are_preferred(found):
    assert found.chosen.functions == ("a", "b")
    assert found.chosen.accuracy == 1.0
    assert found.chosen.cost == pytest.approx(1 / 3 + 1)
    assert found.blind.accuracy >= found.chosen.accuracy - found.within
    assert found.chosen.cost <= found.greedy.cost <= found.blind.cost


def test_shares_are_of_all_calls(found):
    assert found.chosen.share == pytest.approx(found.chosen.cost / found.all_calls)
    assert found.mean_calls == pytest.approx({"a": 1 / 3, "b": 1.0})


def test_the_tree_is_over_its_own_patterns(found):
    assert [str(p) for p in found.patterns] == list(found.tree.feature_names)
    rows = [[1.0, 0.0], [0.0, 3.0], [0.0, 0.0]]
    assert found.tree.predict(named_counts(found.tree.feature_names, rows)).tolist() == [
        "one",
        "two",
        "three",
    ]
    assert found.tree.costs.total(found.tree.features_used) == pytest.approx(found.chosen.cost)


def test_the_trade_off_rises(found):
    assert [p.share for p in found.points] == sorted(p.share for p in found.points)
    assert [p.accuracy for p in found.points] == sorted(p.accuracy for p in found.points)


def test_what_cheaper_trees_lose_on_other_folds_is_told():
    found = learn(*lucky_runs(10), features="fc")
    better = [p for p in found.points if p.share < found.chosen.share and p.accuracy >= found.chosen.accuracy]
    assert len(better) == 2
    assert all(p.lost > found.within for p in better)
    bought = learn(*lucky_runs(10), features="fc", within=max(p.lost for p in better) + 0.001)
    assert bought.chosen.share == pytest.approx(better[0].share)
    assert all(p.lost is None for p in learn(*lucky_runs(10), features="fc", search="greedy").points)


@pytest.mark.parametrize("seed", range(6))
def test_only_trees_that_might_have_been_chosen_lose(seed):
    found = learn(*lucky_runs(seed), features="fc")
    for point in found.points:
        accurate = point.accuracy >= found.blind.accuracy - found.within - 1e-12
        assert (point.lost is not None) == (accurate and point.share < found.chosen.share)


def test_threads_do_not_matter(found):
    profiles, labels = noisy_runs()
    again = learn(profiles, labels, features="fc", n_jobs=2)
    assert again.tree == found.tree
    assert again.chosen == found.chosen


def test_the_small_tree_answers_as_the_large_one():
    profiles, labels = noisy_runs(seed=3)
    table = pattern_table(profiles, "fc")
    prices = prices_of(table, 1)
    table = table.take(without_twins(table, prices))
    evaluator = evaluator_of(table, labels, prices_of(table, 1))
    judged = evaluator.blind(np.arange(len(table.patterns)))
    small = small_tree(judged, table, evaluator.prices)
    large = judged.model.tree_
    X = table.counts.toarray()
    own = named_counts(small.feature_names, X[:, list(judged.columns)])
    assert small.predict(own).tolist() == large.predict(X).tolist()


def greedy_trap(n=160, seed=1):
    """Greedy growth buys `dear`, which alone tells most; `p` and `q` together tell everything for little."""
    random = np.random.default_rng(seed)
    profiles, labels = [], []
    for k in range(n):
        p, q = k % 2, (k // 2) % 2
        labels.append("same" if p == q else "different")
        right = random.random() < 0.9
        dear = (p == q) == right
        profiles.append(
            calls_only(
                {"main": 1}
                | ({"dear": 40} if dear else {})
                | ({"p": 1} if p else {})
                | ({"q": 1} if q else {})
            )
        )
    return profiles, labels


def test_our_search_is_never_dearer_than_the_greedy_one():
    for seed in range(3):
        profiles, labels = greedy_trap(seed=seed)
        table = pattern_table(profiles, "fc")
        evaluator = evaluator_of(table, labels, prices_of(table, 1))
        every = np.arange(len(table.patterns))
        least = evaluator.blind(every).accuracy - 0.01
        frugal, tried = greedy(evaluator, every, least)
        best, more = thrifty(evaluator, every, least, tried)
        assert frugal.accuracy < least or best.cost <= frugal.cost * 1.05
        assert len(more) > len(tried)
        assert cheapest(more, least).cost <= best.cost


def test_call_trees_tell_what_calls_do_not():
    # Both labels call f, g and h equally often; only who calls g differs.
    one = profile_of(*[tree("f", tree("g")), tree("h")] * 2, tree("f"))
    two = profile_of(*[tree("h", tree("g")), tree("f")] * 2, tree("f"))
    profiles, labels = [one, two] * 20, ["one", "two"] * 20
    with pytest.raises(ValueError, match="All runs look alike"):
        learn(profiles, labels, features="fc")
    found = learn(profiles, labels, features="ctp", false_alarms=None)
    assert found.chosen.accuracy == 1.0
    assert found.normal is None
    assert all(p.kind == "inside" for p in found.patterns)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"search": "quick"}, "search must be 'thrifty' or 'greedy'. Got 'quick'"),
        ({"within": 1.5}, "within must be a share"),
        ({"cv": 60}, "has 40 runs, fewer than the 60 folds"),
        ({"span": 0}, "at least 1"),
    ],
)
def test_wrong_settings_are_refused(change, words):
    profiles, labels = noisy_runs()
    with pytest.raises(ValueError, match=words):
        learn(profiles, labels, features="fc", **change)


def test_one_label_is_refused():
    profiles, _ = noisy_runs(30)
    with pytest.raises(ValueError, match="All 30 runs have the label 'x'; at least two labels are needed"):
        learn(profiles, ["x"] * 30, features="fc")
    with pytest.raises(ValueError, match="All 3 runs have the label 'x'"):  # not that they look alike
        learn(profiles[:1] * 3, ["x"] * 3, features="fc")
    with pytest.raises(ValueError, match="runs of at least two labels are needed"):
        learn(profiles[:1], ["x"], features="fc")
    with pytest.raises(ValueError, match="no runs with a label"):
        learn([], [], features="fc")


def test_a_label_of_one_run_is_too_few():
    profiles, _ = noisy_runs(30)
    with pytest.raises(ValueError, match=r"'x' has 1 run, fewer than the 5 folds\. Record more"):
        learn(profiles, ["x"] + ["y"] * 29, features="fc")


def test_labels_that_nothing_tells_apart_are_refused():
    profiles, _ = noisy_runs(60)
    labels = np.random.default_rng(0).permutation(["x"] * 50 + ["y"] * 10).tolist()
    with pytest.raises(ValueError, match="without looking is as good as any tree"):
        learn(profiles, labels, features="fc", within=0.3)


# Models


@pytest.fixture(scope="module")
def model(found):
    return Model.of(found, build={"m": "1", "other": "2"}, kind="python", messages={"one": "Mend a."})


def test_a_model_reads_back(model, tmp_path):
    model.save(tmp_path / "model.json")
    again = Model.load(tmp_path / "model.json")
    assert again.tree == model.tree
    assert (again.plan, again.messages, again.build, again.kind, again.figures) == (
        *(model.plan, model.messages, model.build, model.kind, model.figures),
    )


def test_a_changed_model_is_refused(model):
    with pytest.raises(ModelFileError, match="does not fit its sha256"):
        Model.from_json(model.to_json().replace("Mend a.", "Mend b."))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "thriftwood-tree"}', "\x00", "[" * 10_000])
def test_what_is_no_model_is_refused(text):
    with pytest.raises(ModelFileError, match="no model"):
        Model.from_json(text)


def resealed(model, **changes):
    content = {**json.loads(model.to_json()), **changes}
    return json.dumps({**content, "sha256": digest(content)}, indent=1)


def test_a_version_is_a_number(model):
    with pytest.raises(ModelFileError, match="its version is True"):
        Model.from_json(resealed(model, version=True))


def test_a_model_with_no_number_or_a_key_twice_is_refused(model):
    text = model.to_json()
    figure = next(line for line in text.splitlines() if '"span"' in line)
    with pytest.raises(ModelFileError, match="it holds NaN"):
        Model.from_json(text.replace(figure, '  "span": NaN,'))
    with pytest.raises(ModelFileError, match="cannot be read as JSON"):
        Model.from_json(text.replace(figure, '  "span": 1e999,'))
    with pytest.raises(ModelFileError, match="the same key twice"):
        Model.from_json(text.replace(figure, f"{figure}\n{figure}"))


def test_messages_are_for_labels(model):
    with pytest.raises(ValueError, match=r"label 'onne', which no run has. Did you mean 'one'"):
        model.with_messages({"onne": "?"})


def test_messages_from_files(tmp_path):
    (tmp_path / "m.toml").write_text('"missing brace" = "Close it."\n')
    (tmp_path / "m.json").write_text('{"missing brace": "Close it."}')
    for name in ("m.toml", "m.json"):
        assert read_messages(tmp_path / name) == {"missing brace": "Close it."}
    (tmp_path / "n.toml").write_text("a = 3\n")
    with pytest.raises(ValueError, match=r'must have a line label = "text"'):
        read_messages(tmp_path / "n.toml")


def test_the_builds_of_watched_functions_are_kept():
    build = {"tcc": "1", "libc.so.6": "2", "/lib/docutils/nodes.py": "3", "/lib/docutils/__init__.py": "4"}
    every = ["tcc!next", "libc.so.6!puts", "docutils.nodes:Node.walk:3", "docutils:f:1"]
    assert relevant(build, ["tcc!next", every[2]], every) == {"tcc": "1", "docutils/nodes.py": "3"}
    assert relevant(build, [every[3]], every) == {"docutils/__init__.py": "4"}


def test_a_build_elsewhere_is_the_same_build():
    check_build({"/opt/docutils/nodes.py": "3"}, {"docutils/nodes.py": "3"})
    check_build({"/opt/other/nodes.py": "9"}, {"docutils/nodes.py": "3"})
    with pytest.raises(ProfileError, match=r"/opt/docutils/nodes.py is another build"):
        check_build({"/opt/docutils/nodes.py": "9"}, {"docutils/nodes.py": "3"})


def test_modules_whose_files_have_the_same_name_are_told_apart():
    build = {
        "/lib/json/decoder.py": "1",
        "/home/decoder.py": "2",
        "/home/tool/util.py": "3",
        "/home/util.py": "4",
    }
    every = ["json.decoder:f:1", "decoder:f:1", "tool.util:f:1", "__main__:main:1"]
    assert relevant(build, ["decoder:f:1"], every) == {"decoder.py": "2"}
    assert relevant(build, ["json.decoder:f:1"], every) == {"json/decoder.py": "1"}
    assert relevant(build, ["__main__:main:1"], every) == {"util.py": "4"}
    wanted = relevant(build, every, every)
    assert wanted == {"json/decoder.py": "1", "decoder.py": "2", "tool/util.py": "3", "util.py": "4"}
    check_build(build, wanted)
    for path in ("/home/decoder.py", "/home/util.py", "/lib/json/decoder.py"):
        with pytest.raises(ProfileError, match="is another build"):
            check_build({**build, path: "9"}, wanted)


def test_exact_trees_cannot_be_watched(found):
    from dataclasses import replace

    from thriftwood.clarify.patterns import ExactTree

    exact = replace(found, patterns=(ExactTree(("f", frozenset("g"))),))
    with pytest.raises(ValueError, match=r"exact call tree f\{g\}, which cannot be counted"):
        Model.of(exact, build={}, kind="python", messages={})


def test_a_model_needs_the_patterns_of_its_tree(model):
    from thriftwood.clarify import Plan

    with pytest.raises(ValueError, match="must be the features of its tree"):
        Model(model.tree, Plan((Pattern("count", ("zzz",)),)))
    regression = tw.CostTreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0]).tree_
    with pytest.raises(ValueError, match="answers with numbers"):
        Model(regression, Plan((Pattern("count", ("x0",)),)))


def test_what_is_confused_is_told(found):
    assert found.confused == ()
    profiles, labels = noisy_runs(60)
    labels[0], labels[3] = "two", "two"  # recorded under a wrong label: they look like `one`
    mistaken = learn(profiles, labels, features="fc", search="greedy")
    assert ("two", "one", 2) in mistaken.confused
    wrong = sum(n for _, _, n in mistaken.confused)
    assert mistaken.chosen.accuracy == pytest.approx(1 - wrong / 60)
