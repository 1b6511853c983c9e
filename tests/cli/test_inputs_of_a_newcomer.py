"""From a file to a page: somebody's first table, as a German spreadsheet saves it."""

from pathlib import Path

import numpy as np
import pytest
from cli.commands import thriftwood

READ = "so it was read as cp1252"


def decimal(number):
    return f"{number:.1f}".replace(".", ",")


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A table in cp1252, with semicolons, decimal commas, an empty cell here and there."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    lines = ["Größe;Gewicht;Raucher;Blutdruck;Straße;Befund"]
    for row in range(120):
        sick = rng.random() < 0.4
        cells = [
            decimal(rng.normal(172, 9)),
            "" if row % 20 == 7 else decimal(rng.normal(85 if sick else 72, 9)),
            rng.choice(["ja", "nein"]),
            decimal(rng.normal(150 if sick else 125, 12)),
            rng.choice(["Köln", "Münster", "Zürich"]),
            "krank" if sick else "gesund",
        ]
        lines.append(";".join(cells))
    path = Path("fälle.csv")
    path.write_bytes("\r\n".join(lines).encode("cp1252"))
    return path


def test_a_table_in_cp1252_with_decimal_commas_goes_from_file_to_page(table):
    learn = (table, "--target", "Befund", "--costs", "preise.toml")
    commands = {
        "costs init": ("costs", "init", table, "--target", "Befund", "-o", "preise.toml"),
        "costs check": ("costs", "check", "preise.toml", table, "--target", "Befund"),
        "fit": ("fit", *learn, "--holdout", "0.3", "-o", "baum.json", "--report", "seite.html"),
        "frontier": ("frontier", *learn, "--cv", "3"),
        "compare": ("compare", *learn, "--algorithms", "c45,eg2", "--cv", "3"),
        "bill": ("bill", "baum.json", table, "--target", "Befund", "-o", "kosten.csv"),
        "predict": ("predict", "baum.json", table, "--keep", "Straße", "-o", "antworten.csv"),
    }
    for verb, arguments in commands.items():
        run = thriftwood(*arguments)
        assert (verb, run.code) == (verb, 0), run.err
        assert (run.err.count(READ), "Error" in run.err, "Warning" in run.err) == (1, False, False), run.err
        if verb == "costs init":  # mistakes cost more than tests, else no test is worth its price
            prices = Path("preise.toml").read_text(encoding="utf-8")
            assert '"Größe" = 1' in prices
            Path("preise.toml").write_text(prices.replace("gesund = 1", "gesund = 50"), encoding="utf-8")

    page = Path("seite.html").read_text(encoding="utf-8")
    assert "Blutdruck" in page
    answers = Path("antworten.csv").read_text(encoding="utf-8").splitlines()
    assert answers[0] == "Straße,predicted,p(gesund),p(krank)"
    assert {line.split(",")[0] for line in answers[1:]} == {"Köln", "Münster", "Zürich"}
    assert len(Path("kosten.csv").read_text(encoding="utf-8").splitlines()) == len(answers) == 121

    run = thriftwood("consult", "baum.json", typed="99,5\n" * 9)
    assert (run.code, "Answer: " in run.out) == (0, True), run.out


def test_one_bad_cell_among_decimal_commas_is_blamed_itself(table):
    assert thriftwood("fit", table, "--target", "Befund", "-o", "baum.json").code == 0
    lines = table.read_bytes().split(b"\r\n")
    cells = lines[5].split(b";")
    lines[5] = b";".join([*cells[:3], b"12o,5", *cells[4:]])
    table.write_bytes(b"\r\n".join(lines))
    run = thriftwood("predict", "baum.json", table)
    assert (run.code, "data row 5 holds '12o,5'" in run.err) == (2, True), run.err
    run = thriftwood("fit", table, "--target", "Befund")
    assert (
        "Column 'Blutdruck' is nominal because of cells like '12o,5', while 119 of 120 are numbers" in run.err
    )


@pytest.mark.parametrize(
    "verb", ["fit", "compare", "frontier", "predict", "bill", "costs init", "costs check"]
)
def test_every_command_that_reads_a_table_takes_its_encoding(verb):
    assert "--encoding" in thriftwood(*verb.split(), "--help").out
