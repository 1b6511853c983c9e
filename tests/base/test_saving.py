"""Files are replaced whole: every writer of the library leaves the old file as it was when it fails."""

import os
import stat
import subprocess
import sys
import threading

import pytest

import thriftwood as tw
from thriftwood.base.saving import replacing, save_bytes, save_text
from thriftwood.clarify import model as clarify_model
from thriftwood.cli.writing import write_table

OLD = "what was there before"


def small():
    golf = tw.load_dataset("golf-nominal")
    return golf, tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)


def saved_tree(path):
    small()[1].tree_.save(path)


def saved_panel(path):
    golf, _ = small()
    tw.BaggedTreesClassifier(n_estimators=2, random_state=0).fit(golf.X, golf.y).panel_.save(path)


def saved_booster(path):
    golf, _ = small()
    model = tw.CostGradientBoostingClassifier(n_estimators=2).fit(golf.X, golf.y)
    model.booster_.save(path)


def saved_report(path):
    golf, model = small()
    model.report(golf.X, golf.y).save(path)


def saved_costs(path):
    tw.Costs({"age": 1}).to_file(path)


def saved_table(path):
    write_table(path, {"age": [1, 2]})


WRITERS = {
    "tree.json": saved_tree,
    "panel.json": saved_panel,
    "booster.json": saved_booster,
    "page.html": saved_report,
    "costs.toml": saved_costs,
    "table.csv": saved_table,
}


def full_disk(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(name, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_text(OLD)
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        WRITERS[name](path)
    assert path.read_text() == OLD
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_replaces_what_was_there(name, tmp_path):
    path = tmp_path / name
    path.write_text(OLD)
    WRITERS[name](path)
    assert OLD not in path.read_text()
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_real_limit_on_file_size_leaves_the_old_file(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(OLD)
    program = (
        "import resource, signal, sys\n"
        "from thriftwood.base.saving import save_bytes\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n    save_bytes(sys.argv[1], b'x' * 100_000)\n"
        "except OSError:\n    sys.exit(3)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 3
    assert path.read_text() == OLD
    assert [file.name for file in tmp_path.iterdir()] == ["tree.json"]


def test_readers_see_whole_files_while_two_threads_write(tmp_path):
    path = tmp_path / "file"
    contents = [bytes([65 + i]) * 300_000 for i in range(2)]
    save_bytes(path, contents[0])
    done = threading.Event()

    def write(content):
        while not done.is_set():
            save_bytes(path, content)

    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for writer in writers:
        writer.start()
    try:
        seen = [path.read_bytes() for _ in range(300)]
    finally:
        done.set()
        for writer in writers:
            writer.join()
    assert set(seen) <= set(contents)


def test_an_error_on_the_way_leaves_nothing_behind(tmp_path):
    path = tmp_path / "file"
    path.write_text(OLD)

    def fail():
        with replacing(path) as new:
            new.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == OLD
    assert len(list(tmp_path.iterdir())) == 1


def test_permissions_and_links_stay(tmp_path):
    real, link, fresh = tmp_path / "real", tmp_path / "link", tmp_path / "fresh"
    real.write_text(OLD)
    real.chmod(0o640)
    link.symlink_to(real)
    save_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    save_text(fresh, "new")
    plain = tmp_path / "plain"
    plain.write_text("as open does")
    assert fresh.stat().st_mode == plain.stat().st_mode


def test_a_device_is_written_to_and_stays_one():
    save_text("/dev/null", "nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_clarify_models_are_saved_by_the_same_function():
    assert clarify_model.save_text is save_text
