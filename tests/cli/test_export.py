import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw

TEXTS = {
    "python": tw.export_python,
    "c": tw.export_c,
    "sql": tw.export_sql,
    "rules": tw.export_rules,
    "json": tw.export_json,
}


@pytest.mark.parametrize("language", TEXTS)
def test_export_prints_or_writes(golf_tree, tmp_path, language):
    wanted = TEXTS[language](tw.load(golf_tree))
    assert thriftwood("export", golf_tree, "--to", language).out == wanted
    assert thriftwood("export", golf_tree, "--to", language, "-o", "-").out == wanted
    run = thriftwood("export", golf_tree, "--to", language, "-o", tmp_path / "tree")
    assert (run.code, run.out, run.err) == (0, f"Written: {tmp_path / 'tree'}.\n", "")
    assert (tmp_path / "tree").read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize("name", ["tree.json", "./other/../tree.json", "link.json"])
def test_export_does_not_write_over_its_model(golf_tree, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    content = golf_tree.read_text()
    (tmp_path / "tree.json").write_text(content)
    (tmp_path / "link.json").symlink_to("tree.json")
    run = as_process("export", "tree.json", "--to", "rules", "-o", name)
    assert (run.code, run.out) == (2, "")
    assert "is the model itself, which would be lost. Name another file." in " ".join(run.err.split())
    assert (tmp_path / "tree.json").read_text() == content


def test_export_without_idle_tests(tmp_path):
    costs = tw.Costs({"x0": 3}, errors={"sick": {"well": 50}, "well": {"sick": 1}})
    model = tw.CostTreeClassifier(costs=costs, growth=tw.Growth(max_depth=1))
    tree = model.fit([[1], [1], [2], [2]], ["well", "sick", "sick", "sick"]).tree_
    tree.save(tmp_path / "tree.json")
    words = ("export", tmp_path / "tree.json", "--to", "rules")
    assert thriftwood(*words).out == tw.export_rules(tree)
    assert thriftwood(*words, "--without-idle-tests").out == tw.export_rules(tree.without_idle_tests())
    assert tree.n_leaves == 2
    assert tree.without_idle_tests().n_leaves == 1


def test_export_of_a_tree_from_standard_input(golf_tree):
    typed = golf_tree.read_text()
    assert thriftwood("export", "-", "--to", "rules", typed=typed).out == tw.export_rules(tw.load(golf_tree))


def test_export_takes_names(golf_tree):
    assert "def play(ask):" in as_process("export", golf_tree, "--to", "python", "--name", "play").out
    query = thriftwood("export", golf_tree, "--to", "sql", "--table", "days", "--key", "date").out
    assert query == tw.export_sql(tw.load(golf_tree), "days", key="date")


def test_export_writes_onnx(golf_tree, number_tree, tmp_path):
    onnx = pytest.importorskip("onnx")
    file = tmp_path / "tree.onnx"
    assert thriftwood("export", number_tree, "--to", "onnx", "-o", file, "--undecided", "nan").code == 0
    onnx.checker.check_model(onnx.load(file))
    run = thriftwood("export", golf_tree, "--to", "onnx", "-o", file)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("Error: Node 0 of this tree asks 'Outlook' and sends cases")
    assert "Fit it again with --set missing=majority or --set missing=branch" in run.err
    assert "give --undecided nan: a case" in run.err


def test_export_writes_a_spreadsheet(golf_tree, tmp_path):
    file = tmp_path / "tree.xlsx"
    run = thriftwood("export", golf_tree, "--to", "xlsx", "-o", file, "--title", "Golf")
    assert (run.code, run.out) == (0, f"Written: {file}.\n")
    assert file.read_bytes() == tw.export_xlsx(tw.load(golf_tree), title="Golf")


@pytest.mark.parametrize(
    ("wrong", "code", "said"),
    [
        (["--to", "xlsx"], 2, "Give a file: -o tree.xlsx"),
        (["--to", "onnx"], 2, "Give a file: -o tree.onnx"),
        (["--to", "onnx", "-o", "-"], 2, "Give a file: -o tree.onnx"),
        (["--to", "onnx", "-o", "x", "--undecided", "maybe"], 2, "maybe"),
        (["--to", "sql", "--name", "x"], 2, "--name is not for --to sql"),
        (["--to", "c", "--table", "x"], 2, "--table is not for --to c"),
        (["--to", "rules", "--undecided", "nan"], 2, "--undecided is not for --to rules"),
        (["--to", "c", "--name", "2x"], 2, "name must be a name that C leaves free"),
        (["--to", "fortran"], 2, "fortran"),
        ([], 2, "--to"),
        (["--to", "c", "-o", "no/such/folder/tree.c"], 2, "no/such/folder/tree.c: No such file"),
    ],
)
def test_export_refuses_wrong_options(golf_tree, wrong, code, said):
    run = thriftwood("export", golf_tree, *wrong)
    assert (run.code, run.out) == (code, "")
    assert said in run.err


@pytest.mark.parametrize(
    ("typed", "meant"), [("js", "javascript"), ("PY", "python"), ("excel", "xlsx"), ("pyhton", "python")]
)
def test_a_language_by_another_name_is_pointed_out(golf_tree, typed, meant):
    run = thriftwood("export", golf_tree, "--to", typed)
    assert (run.code, run.out) == (2, "")
    assert f"Did you mean '{meant}'?" in " ".join(run.err.split())
    assert "Did you mean" not in thriftwood("export", golf_tree, "--to", "cobol").err
