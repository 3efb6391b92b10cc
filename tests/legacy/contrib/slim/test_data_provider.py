"""Test of providers of a dataset's items."""

import pytest

from legacy.contrib.slim import data_provider


def test_items_are_in_the_order_of_the_request():
    provider = data_provider.DataProvider({"image": 1, "label": 2}, 5)
    assert provider.get(["label", "image"]) == [2, 1]
    assert (list(provider.list_items()), provider.num_samples()) == (["image", "label"], 5)
    with pytest.raises(ValueError, match=r"Item \[mask\] is invalid. Valid entries .*'image'"):
        provider.get(["mask"])
    with pytest.raises(ValueError, match="items must be a list or tuple"):
        provider.get("image")
