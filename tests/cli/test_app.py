from cli.commands import as_process, thriftwood

import thriftwood as tw


def test_version_is_the_package_s():
    run = as_process("--version")
    assert (run.code, run.out) == (0, f"thriftwood {tw.__version__}\n")


def test_help_lists_the_verbs():
    run = thriftwood("--help")
    assert run.code == 0
    assert all(f"  {verb} " in run.out for verb in ("demo", "algorithms", "show", "consult", "reproduce"))


def test_every_verb_has_an_example():
    for verb in ("demo", "algorithms", "show", "consult", "reproduce"):
        run = thriftwood(verb, "--help")
        assert run.code == 0
        assert f"Example: thriftwood {verb}" in run.out


def test_unknown_verb_names_the_nearest():
    run = as_process("shw")
    assert run.code == 2
    assert run.out == ""
    assert "'show'" in run.err


def test_algorithms_lists_all_with_references():
    run = thriftwood("algorithms", COLUMNS="200")
    assert run.code == 0
    for entry in tw.algorithms():
        assert entry.name in run.out
        assert entry.reference in run.out
