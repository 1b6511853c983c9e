"""benchmarks.studio: what the command measures, in small and without a clock."""

import pytest
from browsing import chromium

from benchmarks import studio
from benchmarks.browsing import NoBrowserError
from benchmarks.thrift.figure import Figure


@pytest.fixture(scope="module")
def figures():
    with chromium():
        pass  # or skipped, with the reason
    return {figure.what: figure for figure in studio.measure(rows=120, thrift_rows=60, edits=3)}


def test_every_edit_is_followed_by_a_tree_and_then_by_a_painted_frame(figures):
    for table in ("c45, 120 x 20", "csgain, 120 x 20", "thrift, 60 x 20"):
        shown = figures[f"{table}: a price to tree and bill, ms"]
        learnt = figures[f"{table}: of it learning and billing, ms"]
        painted = figures[f"{table}: a price to a painted frame, ms"]
        assert 0 < learnt.value <= shown.value <= painted.value
        assert shown.most in (50, 300)


def test_the_page_is_one_small_file(figures):
    assert figures["further requests"].value == 0
    assert figures["the page without a table, kB"].holds
    assert figures["first paint of 120 x 20, ms"].value > 0


@pytest.mark.parametrize(("value", "code", "said"), [(40, 0, "at most 50"), (60, 1, "which does not hold")])
def test_the_command_ends_with_1_where_a_price_takes_too_long(monkeypatch, capsys, value, code, said):
    monkeypatch.setattr(studio, "measure", lambda *_: iter([Figure("a price, ms", value, most=50)]))
    assert studio.main([]) == code
    assert capsys.readouterr().out.strip().endswith(said)


def test_without_a_browser_it_says_what_is_missing(monkeypatch, capsys):
    def nothing(*_):
        raise NoBrowserError("no Chromium on the path, and $CHROMIUM is not set")

    monkeypatch.setattr(studio, "measure", nothing)
    assert studio.main([]) == 2
    assert capsys.readouterr().err.startswith("Nothing is measured: no Chromium")


@pytest.mark.parametrize("wrong", [["--edits", "0"], ["--rows", "3"]])
def test_a_wrong_number_is_refused(wrong):
    with pytest.raises(SystemExit):
        studio.main(wrong)
