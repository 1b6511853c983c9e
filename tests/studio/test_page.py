"""The page as a file: its policy, its size, what is inside."""

import re

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood.base.page_parts import content_hash

HOSTILE = "</script><img src=x onerror=alert(1)>'\"&"


def test_without_a_table_it_is_under_a_megabyte_and_a_half():
    page = tw.make_studio().html
    assert len(page.encode("utf-8")) < 1_500_000
    assert '"table":null' in page


def test_the_policy_allows_its_own_script_and_nothing_else():
    page = tw.make_studio().html
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    assert f"script-src 'sha256-{content_hash(scripts[0])}' 'wasm-unsafe-eval';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe-inline" not in policy


def test_hostile_names_stay_text():
    X = pd.DataFrame({HOSTILE: [1.0, 2.0, 3.0], "kind": [HOSTILE, "b", "b"]})
    page = tw.make_studio(X, [HOSTILE, "b", "b"], tw.Costs({HOSTILE: 1}), title=HOSTILE, name=HOSTILE).html
    assert "<img src=x" not in page
    assert page.count("</script>") == 4


def test_of_many_rows_a_sample_is_taken_and_every_class_is_in_it():
    n = 150_000
    labels = np.where(np.arange(n) < 30, "rare", "common")
    made = tw.make_studio(np.arange(n, dtype=float)[:, None], labels)
    assert made.n_cases == 100_000
    assert '"n_rows":150000' in made.html


def test_the_same_input_gives_the_same_page():
    golf = tw.load_dataset("golf-nominal")
    first = tw.make_studio(golf.X, golf.y, golf.costs)
    assert first.html == tw.make_studio(golf.X, golf.y, golf.costs).html


def test_what_cannot_be_is_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match="X and y, or neither"):
        tw.make_studio([[1.0]])
    with pytest.raises(ValueError, match=r"A studio is a \.html file"):
        tw.make_studio().save(tmp_path / "page.pdf")
