"""The speed harness: every case runs in small, and the verdicts follow from the figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.speed import front_page, peers, record, report, worker
from benchmarks.speed.__main__ import main
from benchmarks.speed.cases import CASES, HGB, LIGHTGBM, OURS, SKLEARN, XGBOOST, Case, Limit, choose
from benchmarks.speed.contestant import NotInstalled
from benchmarks.speed.measure import interleave, memory_added
from benchmarks.speed.record import Entry, Outcome, Request, with_threads


def request(case: str, names: list[str]) -> Request:
    return Request(case, rounds=1, threads=1, peers=names, quick=True, outcome="")


def outcome(
    case: str, seconds: dict[str, list[float]], *, quick: bool = False, clock: str = "cpu"
) -> Outcome:
    entries = {name: Entry("ok", "1.0", seconds=times) for name, times in seconds.items()}
    return Outcome(case, quick, 1, clock, 10, 3, entries)


def named(name: str) -> Case:
    [case] = choose([name])
    return case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_runs_in_small(case: Case) -> None:
    found = worker.run(request(case.name, [SKLEARN]))
    ours = found.entries[OURS]
    assert ours.status == "ok", ours.detail
    if case.kind in ("memory", "streamed"):
        assert ours.bytes is not None
        assert ours.bytes >= 0
    else:
        assert ours.seconds
        assert min(ours.seconds) > 0
    assert (SKLEARN in found.entries) == (SKLEARN in case.peers)


def test_contestants_grow_comparable_trees() -> None:
    entries = worker.run(request("exact-depth8", [SKLEARN])).entries
    ours, theirs = entries[OURS].accuracy, entries[SKLEARN].accuracy
    assert ours is not None
    assert theirs is not None
    assert abs(ours - theirs) < 0.04
    assert ours > 0.6


def test_the_command_writes_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--quick", "--rounds", "1", "--peers", SKLEARN, "--results", str(tmp_path)]
    assert main([*options, "--only", "small-fit"]) == 0
    assert main([*options, "--only", "predict-one"]) == 0
    printed = capsys.readouterr().out
    assert "small-fit" in printed
    assert "at most 0.200" in printed
    saved = json.loads((tmp_path / "latest.json").read_text())
    assert [entry["case"] for entry in saved["outcomes"]] == ["small-fit", "predict-one"]
    assert saved["verdicts"]["small-fit"]["verdict"] == "not judged"
    page = (tmp_path / "table.md").read_text()
    assert named("small-fit").title in page
    assert named("predict-one").title in page


def test_list_names_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [case.name for case in CASES]


@pytest.mark.parametrize("wrong", [["--only", "nothing"], ["--peers", "nobody"], ["--rounds", "0"]])
def test_wrong_options_are_named(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(wrong)
    assert ended.value.code == 2
    assert wrong[1] in capsys.readouterr().err or wrong[0] == "--rounds"


def test_a_missing_peer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def enter(name: str) -> None:
        raise NotInstalled("No module named 'sklearn'")

    monkeypatch.setattr(peers, "enter", enter)
    found = worker.run(request("small-fit", [SKLEARN]))
    assert found.entries[SKLEARN].status == "not installed"
    assert record.judge(found, named("small-fit")) == ("not judged", "scikit-learn not installed")
    assert "scikit-learn: not installed: No module named 'sklearn'" in report.markdown([found])


def test_the_limit_is_against_the_fastest_judged_peer() -> None:
    case = named("binned-depth8")
    times = {OURS: [1.0, 3.0, 1.0], LIGHTGBM: [5.0], HGB: [4.0], XGBOOST: [8.0]}
    found = outcome(case.name, times)
    assert record.score(found, case) == 0.25  # the median of ours is 1, the fastest peer needs 4
    assert record.judge(found, case) == ("pass", "")
    assert record.judge(outcome(case.name, times | {HGB: [2.0]}), case) == ("FAIL", "")


def test_nothing_is_judged_on_a_part_of_the_peers() -> None:
    case = named("binned-depth8")
    found = outcome(case.name, {OURS: [1.0], LIGHTGBM: [5.0], HGB: [4.0]})
    assert record.judge(found, case) == ("not judged", "XGBoost left out")


def test_quick_sizes_are_not_judged() -> None:
    found = outcome("small-fit", {OURS: [1.0], SKLEARN: [100.0]}, quick=True)
    assert record.judge(found, named("small-fit")) == ("not judged", "quick sizes")


def test_speed_up_takes_the_least_wall_clock_time() -> None:
    case = named("scaling-exact")
    found = outcome(case.name, {OURS: [3.0, 9.0], with_threads(2): [2.0, 1.5]}, clock="wall")
    assert record.score(found, case) == 2.0
    assert record.judge(found, case)[0] == "pass"


def test_rounds_are_interleaved_and_rotate() -> None:
    order: list[str] = []
    jobs = {name: (lambda name=name: order.append(name), 1) for name in "abc"}
    seconds, _ = interleave(jobs, 3, "cpu")
    assert "".join(order) == "abcbcacab"
    assert {name: len(times) for name, times in seconds.items()} == {"a": 3, "b": 3, "c": 3}


def test_memory_sees_what_a_job_touches() -> None:
    def job() -> float:
        return float(np.ones(30_000_000).sum())  # 240 MB, touched

    # An upper bound: the process may have held more before.
    assert memory_added(job) >= 200e6


def test_a_part_of_the_table_replaces_that_part() -> None:
    old = [outcome("exact-depth8", {OURS: [1.0]}), outcome("counts", {OURS: [1.0]})]
    new = [outcome("counts", {OURS: [2.0]})]
    merged = record.merge(old, new)
    assert [(found.case, found.typical(OURS)) for found in merged] == [("exact-depth8", 1.0), ("counts", 2.0)]


def test_results_file_reads_back(tmp_path: Path) -> None:
    outcomes = [outcome("counts", {OURS: [0.5], SKLEARN: [3.0]})]
    record.save(tmp_path / "latest.json", outcomes)
    assert record.load(tmp_path / "latest.json") == outcomes
    assert record.load(tmp_path / "absent.json") == []


def test_limits_face_the_right_way() -> None:
    assert Limit(0.15).met_by(0.15)
    assert not Limit(0.15).met_by(0.16)
    assert Limit(1.6, "speedup").met_by(1.7)
    assert not Limit(1.6, "speedup").met_by(1.5)


def test_the_front_page_names_the_fastest_of_the_others() -> None:
    times = {OURS: [0.126], SKLEARN: [2.52], LIGHTGBM: [0.6], HGB: [0.504], XGBOOST: [0.7]}
    rows = front_page.table([outcome("exact-depth8", times), outcome("lasc", {OURS: [1.0]})]).splitlines()
    title = named("exact-depth8").title
    assert rows[2] == f"| {title} | 126 ms | 2.52 s (0.05) | HistGradientBoosting 504 ms (0.25) |"
    assert rows[3] == ""  # what a newcomer does not ask about is left to the page of all figures


def test_the_front_page_is_written_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"above\n{front_page.BEGIN}\nold\n{front_page.END}\nbelow\n", encoding="utf-8")
    found = [outcome("small-fit", {OURS: [1.0], SKLEARN: [2.0]})]
    for _ in range(2):
        front_page.rewrite(page, found)
        text = page.read_text(encoding="utf-8")
        assert text == f"above\n{front_page.BEGIN}\n\n{front_page.table(found)}\n{front_page.END}\nbelow\n"


@pytest.mark.parametrize(
    "text", ["", front_page.BEGIN, front_page.END + front_page.BEGIN, front_page.BEGIN * 2]
)
def test_a_page_without_marks_is_left_alone(tmp_path: Path, text: str) -> None:
    page = tmp_path / "README.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md has no place for the table"):
        front_page.rewrite(page, [])
    assert page.read_text(encoding="utf-8") == text


def test_tables_can_be_written_again(tmp_path: Path) -> None:
    record.save(tmp_path / "latest.json", [outcome("small-fit", {OURS: [1.0], SKLEARN: [2.0]})])
    before = (tmp_path / "latest.json").read_text()
    assert main(["--again", "--results", str(tmp_path)]) == 0
    assert (tmp_path / "latest.json").read_text() == before
    assert "scikit-learn 2.00 s (0.500)" in (tmp_path / "table.md").read_text()
