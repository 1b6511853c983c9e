"""Profiles: sums over processes, and JSON that reads back."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.clarify import Profile, ProfileError, merged

NAMES = ("main!a", "main!b", "lib!c", "m:K.f:3")
names = st.sampled_from(NAMES)
counts = st.integers(0, 10**12)
trees1 = st.tuples(names, st.frozensets(names, max_size=3))
trees2 = st.tuples(names, st.frozensets(trees1, max_size=3))
profiles = st.builds(
    Profile,
    functions=st.just(NAMES),
    calls=st.dictionaries(names, counts),
    d1=st.dictionaries(trees1, counts, max_size=6),
    d2=st.dictionaries(trees2, counts, max_size=6),
    build=st.dictionaries(st.sampled_from(["main", "lib"]), st.just("1f")),
    ended=st.sampled_from(["exit", "open"]),
    threads=st.integers(1, 4),
    pid=st.integers(1, 2**22),
)


@given(profiles)
def test_a_profile_reads_back_from_json(profile: Profile) -> None:
    assert Profile.from_json(json.loads(json.dumps(profile.to_json()))) == profile


@given(profiles, profiles)
def test_processes_of_a_run_add_up(first: Profile, second: Profile) -> None:
    both = merged([first, second])
    assert both.n_calls == first.n_calls + second.n_calls
    for tree in {*first.d2, *second.d2}:
        assert both.d2[tree] == first.d2.get(tree, 0) + second.d2.get(tree, 0)
    assert both.threads == first.threads + second.threads
    assert (both.ended == "exit") == (first.ended == second.ended == "exit")


def test_one_process_is_itself() -> None:
    profile = Profile(("f",), {"f": 1}, pid=7)
    assert merged([profile]) is profile


def test_two_builds_in_one_run_are_refused() -> None:
    with pytest.raises(ProfileError, match="two builds of main: 1 and 2"):
        merged([Profile(("f",), {}, build={"main": "1"}), Profile(("f",), {}, build={"main": "2"})])


def test_a_run_without_profiles_is_refused() -> None:
    with pytest.raises(ProfileError, match="wrote none"):
        merged([])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["functions", "calls", "d1", "d2", "build", "ended", "threads", "pid"]), json_values)
def test_a_damaged_profile_is_refused_or_read_never_worse(entry: str, value: object) -> None:
    good = Profile(("f", "g"), {"f": 1}, {("f", frozenset("g")): 1}).to_json()
    with suppress(ProfileError):
        assert isinstance(Profile.from_json(good | {entry: value}), Profile)
