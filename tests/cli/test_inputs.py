"""Tables in other encodings, with commas, and what is typed with them: every command that reads a table."""

from pathlib import Path

import pytest
from cli.commands import thriftwood

PATIENTS = """Größe;Raucher;FTI;Befund
1,71;ja;50,5;krank
1,80;nein;100,25;gesund
1,65;ja;61,0;krank
1,92;nein;111,5;gesund
1,77;ja;40,5;krank
1,69;nein;120,0;gesund
"""
LEARN = ("patients.csv", "--target", "Befund", "--costs", "costs.toml")
COMMANDS = {
    "fit": ("fit", *LEARN),
    "compare": ("compare", *LEARN, "--algorithms", "c45", "--cv", "2"),
    "frontier": ("frontier", *LEARN, "--cv", "2", "--values", "0,1"),
    "predict": ("predict", "tree.json", "patients.csv"),
    "bill": ("bill", "tree.json", "patients.csv"),
    "costs init": ("costs", "init", "patients.csv", "--target", "Befund"),
    "costs check": ("costs", "check", "costs.toml", "patients.csv", "--target", "Befund"),
}


@pytest.fixture
def praxis(tmp_path, monkeypatch):
    """A table as a spreadsheet of western Europe writes it, a price list and a tree."""
    monkeypatch.chdir(tmp_path)
    Path("patients.csv").write_text(PATIENTS, encoding="cp1252")
    Path("costs.toml").write_text('[tests]\n"Größe" = 1\n', encoding="utf-8")
    assert thriftwood("fit", *LEARN, "-o", "tree.json").code == 0
    return tmp_path


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_how_it_read_the_table_and_takes_another_encoding(arguments, praxis):
    run = thriftwood(*arguments)
    assert run.code == 0
    note = "Note: patients.csv is not in UTF-8 (line 1 holds the byte 0xf6), so it was read as cp1252. If"
    assert f"{note} letters look wrong, give --encoding cp1250, or whatever it is in." in run.err
    named = thriftwood(*arguments, "--encoding", "cp1252")
    assert (named.code, "UTF-8" in named.err) == (0, False)
    assert named.out == run.out
    wrong = thriftwood(*arguments, "--encoding", "utf-8")
    assert wrong.code == 2
    assert wrong.err.endswith("Give --encoding cp1252, or whatever it is in, or save it in UTF-8.\n")


def test_an_encoding_where_there_is_no_text_is_refused(praxis):
    Path("patients.parquet").write_bytes(b"PAR1")
    run = thriftwood("predict", "tree.json", "patients.parquet", "--encoding", "cp1252")
    assert (run.code, "is no text file" in run.err) == (2, True)
    run = thriftwood("costs", "check", "costs.toml", "--encoding", "cp1252")
    assert (run.code, "Name one, or leave it out" in run.err) == (2, True)


@pytest.mark.parametrize("name", ["Befund", "befund", "Befnud"])
@pytest.mark.parametrize("verb", ["fit", "compare", "frontier", "costs check"])
def test_a_price_of_the_target_gets_the_right_reason(name, verb, praxis):
    Path("costs.toml").write_text(f"[tests]\n{name} = 1\n", encoding="utf-8")
    run = thriftwood(*COMMANDS[verb])
    assert run.code == 2
    assert "'Befund' is the column to be learnt, and no test: take its line out of [tests]" in run.err
    assert ("Did you mean 'Befund'?" in run.err) == (name != "Befund")


def test_decimal_commas_that_are_typed_are_understood_unless_they_may_be_thousands(praxis):
    explained = "'1,250' is not a number. Numbers are written with a decimal point: 1.250."
    run = thriftwood("consult", "tree.json", "--known", "FTI=1,250")
    assert (run.code, explained in run.err) == (2, True)
    rows = "".join(f"{n},{'ab'[n > 50]}\n" for n in range(0, 100, 5))
    Path("numbers.csv").write_text("x,y\n" + rows, encoding="utf-8")
    thriftwood("fit", "numbers.csv", "--target", "y", "-o", "numbers.json")
    run = thriftwood("consult", "numbers.json", typed="1,250\n49,5\n")
    assert (run.code, explained in run.out, "Answer: a" in run.out) == (0, True, True)
    assert thriftwood("consult", "numbers.json", "--known", "x=52,6").out.count("Answer: b") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("fit", *LEARN, "--set", "cf=0,25"),
        ("fit", *LEARN, "--holdout", "0,25"),
        ("compare", *LEARN, "--algorithms", "c45,c45:cf=0,25"),
    ],
)
def test_decimal_commas_of_options_are_explained(arguments, praxis):
    run = thriftwood(*arguments)
    assert (run.code, "Numbers are written with a decimal point: 0.25." in run.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "tree.json", "--to", "fortran"), "'fortran' is not one of 'python', 'c'"),
        (("clarify", "learn", "runs", "--features", "x"), "'x' is not one of 'fc', 'ctp'."),
        (("fit", *LEARN, "--cv", "ten"), "Invalid value for '--cv': 'ten' is not a whole number.\n"),
        (("fit", *LEARN, "--seed", "-1"), "greater than or equal to 0"),
    ],
)
def test_wrong_options_are_told_in_plain_words(arguments, said, praxis):
    run = thriftwood(*arguments)
    assert run.code == 2
    assert said in run.err
    assert "Value error" not in run.err
    assert "unable to parse" not in run.err


def test_the_column_with_too_many_categories_is_named(praxis):
    rows = "".join(f"city {n % 501},{'ab'[n % 2]}\n" for n in range(1100))
    Path("cities.csv").write_text("city,y\n" + rows, encoding="utf-8")
    run = thriftwood("fit", "cities.csv", "--target", "y", "--set", "nominal=grouped")
    assert run.code == 2
    assert "column 'city' has 501 categories" in run.err
    assert "Give --set nominal=binary or --set nominal=multiway, or leave out city (--ignore)." in run.err
