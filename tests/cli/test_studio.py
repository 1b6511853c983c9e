import pytest
from cli.commands import thriftwood

import thriftwood as tw


def test_a_page_with_the_table_inside():
    done = thriftwood(
        "studio",
        "patients.csv",
        "--target",
        "state",
        "--ignore",
        "id",
        "--costs",
        "costs.toml",
        "-o",
        "page.html",
    )
    assert done.code == 0
    assert done.out == "Written: page.html. Open it in a browser.\n"
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    costs = tw.Costs.from_file("costs.toml")
    made = tw.make_studio(data.X, data.y, costs, name="patients.csv")
    with open("page.html", encoding="utf-8") as page:
        assert page.read() == made.html


def test_a_page_to_drop_a_table_on():
    done = thriftwood("studio")
    assert done.out == "Written: studio.html. Open it and drop a CSV file on it.\n"


@pytest.mark.parametrize(
    "words", [["--target", "state"], ["patients.csv", "--target", "state", "-o", "patients.csv"]]
)
def test_what_cannot_be_is_refused(words):
    done = thriftwood("studio", *words)
    assert done.code == 2
