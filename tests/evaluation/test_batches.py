import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import thriftwood as tw
from thriftwood.datasets.files import parts


@pytest.fixture
def golf(tmp_path, monkeypatch):
    """Quinlan's table in a file that is read by threes, and a tree."""
    for limit in ("LARGE_TEXT", "LARGE_PARQUET"):
        monkeypatch.setattr(parts, limit, 0)
    monkeypatch.setattr(parts, "MOST_ROWS", 3)
    data = tw.load_dataset("golf-nominal")
    data.X.assign(Play=data.y, day=range(14)).to_parquet(tmp_path / "golf.parquet")
    data.X.assign(Play=data.y, day=range(14)).to_csv(tmp_path / "golf.csv", index=False)
    return tw.algorithm("c45", costs=data.costs).fit(data.X, data.y), data, tmp_path


@pytest.mark.parametrize("name", ["golf.parquet", "golf.csv"])
def test_batches_are_the_rows_of_the_file(golf, name):
    model, data, folder = golf
    batches = tw.read_batches(folder / name, model, "Play", keep=["day"])
    for _ in range(2):  # they can be read again
        read = list(batches)
        assert [len(batch) for batch in read] == [3, 3, 3, 3, 2]
        assert [batch.first_row for batch in read] == [0, 3, 6, 9, 12]
        assert [day for batch in read for day in batch.kept["day"]] == [str(day) for day in range(14)]
        assert [label for batch in read for label in batch.y] == list(data.y)
        answers = [answer for batch in read for answer in model.predict(batch.X)]
        assert answers == model.predict(data.X).tolist()
    assert (batches.n_rows, batches.unseen, batches.notes) == (14, [], ())


def test_unseen_categories_are_counted_over_all_batches(golf):
    model, data, folder = golf
    changed = data.X.astype(str).assign(Outlook=["Fog", "Rain", None, "Snow", "Fog", *["Rain"] * 9])
    changed.to_parquet(folder / "changed.parquet")
    batches = tw.read_batches(folder / "changed.parquet", model)
    assert [len(batch.unseen) for batch in batches] == [1, 1, 0, 0, 0]
    (found,) = batches.unseen
    whole = model.model_.encoder.encode(changed).unseen[0]
    assert (found.sentence, found.n_cells) == (whole.sentence, 3)


def test_models_that_read_tables_themselves_are_refused(golf):
    _, _, folder = golf
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]})
    inside = make_pipeline(StandardScaler(), tw.CostTreeClassifier()).fit(table, [0, 0, 1, 1])
    with pytest.raises(TypeError, match="reads tables in its own way"):
        tw.read_batches(folder / "golf.csv", inside)


def test_a_missing_value_that_is_refused_is_counted_through_the_file(golf):
    _, data, folder = golf
    model = tw.algorithm("id3").fit(data.X, data.y)
    data.X.astype(object).mask(pd.Series(range(14)) == 7).to_parquet(folder / "holes.parquet")
    batches = tw.read_batches(folder / "holes.parquet", model)
    with pytest.raises(ValueError, match="has no value in row 7"):
        [model.model_.predict(batch.X) for batch in batches]
