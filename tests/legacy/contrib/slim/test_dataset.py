"""Test of the description of a dataset."""

from tests.legacy.contrib.slim import records


def test_additional_attributes_are_kept():
    dataset = records.dataset("files", 3)
    assert (dataset.data_sources, dataset.num_samples, dataset.split) == ("files", 3, "train")
    assert dataset.items_to_descriptions == {"label": "A number."}
