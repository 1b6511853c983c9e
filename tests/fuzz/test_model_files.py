"""Files that claim to be trees: huge claims, wrong types in arrays, parts of other trees."""

import json

import pytest
from finished_trees import golf, mixed, regression

from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.trees import digest
from thriftwood.models.tree.tree import Tree


def loaded(edit, make=golf):
    content = json.loads(make().to_json())
    edit(content)
    return Tree.from_json(json.dumps({**content, "sha256": digest(content)}))


MOST = 2**31 - 1
NODE_CLAIMS = ("n_children", "first_child", "map_offset", "first_surrogate", "n_surrogates", "feature")


@pytest.mark.parametrize("field", NODE_CLAIMS)
@pytest.mark.parametrize("number", [MOST, MOST - 1, -(2**31), 10**6])
def test_claims_of_arrays_that_are_not_there(field, number):
    def edit(content):
        nodes = content["tree"]["nodes"]
        nodes[field] = [number] * len(nodes[field])

    with pytest.raises(TreeFileError, match="not a tree file"):
        loaded(edit, mixed)


@pytest.mark.parametrize("number", [10**9, MOST])
def test_claims_of_very_many_features_categories_or_classes(number):
    def features(content):
        content["encoder"] |= {"n_features": number, "names": None}

    def categories(content):
        content["tree"]["feature_values"] = [number] * 4

    def width(content):
        content["tree"]["width"] = number

    for edit in (features, categories, width):
        with pytest.raises(TreeFileError):
            loaded(edit)


@pytest.mark.parametrize("entry", [[0], None, "1", True, {}, 0.5, 1e308, 2**63])
@pytest.mark.parametrize("field", ["kind", "feature", "weight", "label"])
def test_wrong_types_inside_arrays(entry, field):
    def edit(content):
        content["tree"]["nodes"][field][-1] = entry

    if field == "weight" and type(entry) is float:
        assert loaded(edit).n_nodes == 8  # a weight may be any number
    else:
        with pytest.raises(TreeFileError):
            loaded(edit)


@pytest.mark.parametrize("part", ["tree", "encoder", "classes"])
@pytest.mark.parametrize("donor", [mixed, regression])
def test_parts_of_other_trees_do_not_fit(part, donor):
    with pytest.raises(TreeFileError):
        loaded(lambda content: content.update({part: json.loads(donor().to_json())[part]}))


def test_the_tree_and_its_encoder_exchanged():
    with pytest.raises(TreeFileError, match="tree lacks the entry"):
        loaded(lambda content: content.update(tree=content["encoder"], encoder=content["tree"]))


@pytest.mark.parametrize("depth", [500, 100_000])
def test_deep_nesting(depth):
    nested = "[" * depth + "]" * depth
    with pytest.raises(TreeFileError):
        Tree.from_json(golf().to_json().replace('"names": ', f'"names": {nested}, "x": '))


def test_a_number_of_a_million_digits():
    with pytest.raises(TreeFileError):
        Tree.from_json('{"format": ' + "9" * 1_000_000 + "}")
