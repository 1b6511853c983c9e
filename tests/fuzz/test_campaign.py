"""The command `make fuzz`: it tries every kind, and what fails is told with the seed that does it again."""

import random
import re

import pytest
from fuzz.campaign.__main__ import main
from fuzz.campaign.kinds import KINDS
from fuzz.campaign.model_files import TEMPLATES, templates
from fuzz.campaign.mutations import mutated
from fuzz.campaign.watching import Campaign, Limits


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.filterwarnings("ignore")
def test_the_first_cases_of_every_kind(kind):
    taken = [kind.run(seed) for seed in range(100_000, 100_060)]
    assert True in taken
    assert False in taken


def test_a_campaign_of_a_few_seconds(capsys):
    assert main(["--minutes", "0.2", "--workers", "1", "--seed", "7000000"]) == 0
    said = capsys.readouterr().out
    assert said.endswith("No failure.\n")
    totals = {
        group: int(count.replace(",", "")) for group, count in re.findall(r"^(\S.*?)  +([\d,]+)$", said, re.M)
    }
    assert totals.keys() == {"model files", "frames", "cost files", "captures"}
    assert all(totals.values())  # every kind had its turn, however busy the machine is


def test_what_ends_hangs_or_takes_too_much_is_found_and_the_others_go_on(tmp_path):
    campaign = Campaign(tmp_path, 60, "fuzz.campaign.planted", 1, limits=Limits(cpu=1.0))
    wanted = {"wrong", "crash", "hang", "greedy"}

    def enough(found):
        if {one.kind for one in found.failures} >= wanted:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign.run(enough)
    failures = {one.kind: one for one in campaign.failures}
    seeds = {kind: one.seed for kind, one in failures.items()}
    assert seeds == {"wrong": 7, "crash": 3, "hang": 4, "greedy": 5}
    assert failures["crash"].what == "the process ended with -11"
    assert failures["hang"].what.startswith("no end after")
    assert failures["greedy"].what.startswith("MemoryError")
    assert failures["wrong"].times > 1
    counts = campaign.counts()
    assert counts["planted", "sound"][0] == pytest.approx(2 * counts["planted", "sound"][1], abs=2)


def test_one_case_again(capsys):
    assert main(["--case", "trees:17"]) == 0
    assert main(["--case", "no such kind:17"]) == 2
    assert "kinds are trees, panels" in capsys.readouterr().out
    with pytest.raises(IndexError):
        main(["--kinds", "fuzz.campaign.planted", "--case", "wrong:57"])


@pytest.mark.parametrize("kind", [kind for kind in TEMPLATES if kind != "clarify models"])
def test_what_is_changed_shares_nothing_with_what_it_was_made_from(kind):
    rng = random.Random(0)
    for content in templates(kind)[0]:
        before = repr(content)
        for _ in range(200):
            mutated(content, rng, content)
        assert repr(content) == before
