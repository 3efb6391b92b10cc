"""Tests of nested structures."""

import pytest

from legacy.contrib.framework import nest


def test_keys_are_flattened_with_their_values():
    found = nest.flatten_dict_items({"a": [1], (4, (5, 6)): ("x", ["y", "z"])})
    assert found == {"a": [1], 4: "x", 5: "y", 6: "z"}
    with pytest.raises(ValueError, match="is not nested like"):
        nest.flatten_dict_items({(1, 2): (3,)})
    with pytest.raises(ValueError, match="key 1 is not unique"):
        nest.flatten_dict_items({1: 2, (1, 2): (3, 4)})


def test_a_shallow_structure():
    nest.assert_shallow_structure([1, 2], [[3, 4], {"a": 5}])
    with pytest.raises(ValueError, match="length"):
        nest.assert_shallow_structure([1, 2], [3])
    with pytest.raises(TypeError, match="tuple"):
        nest.assert_shallow_structure([1, [2]], [3, (4,)])
    nest.assert_shallow_structure([1, [2]], [3, (4,)], check_types=False)
