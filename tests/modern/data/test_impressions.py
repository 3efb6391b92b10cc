"""Tests for the generated log of impressions and its best possible AUC."""

import numpy as np
import pytest

from modern import data
from modern.data import impressions


def test_columns():
    log = impressions.impressions(0, train_size=100, test_size=50)
    assert tuple(log.train_features) == impressions.COLUMNS
    assert {(one.dtype.name, one.shape) for one in log.test_features.values()} == {("int64", (50,))}
    assert min(one.min() for one in log.train_features.values()) == 1
    assert (log.train_labels.shape, log.test_labels.shape) == ((100, 1), (50, 1))
    assert set(np.unique(log.train_labels)) == {0, 1}


def test_a_few_ids_are_in_most_rows_and_most_ids_in_a_few():
    ids = impressions.impressions(0, train_size=20_000, test_size=10).train_features["id_03"]
    _, counts = np.unique(ids, return_counts=True)
    assert np.sort(counts)[-10:].sum() > 0.4 * len(ids)
    assert np.mean(counts == 1) > 0.5


def test_the_truth_is_one_for_all_seeds_and_the_ids_are_not():
    first, again, other = (impressions.impressions(seed, train_size=10) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.test_labels, again.test_labels)
    assert (first.test_features["id_00"] != other.test_features["id_00"]).any()
    assert first.best == again.best
    assert abs(first.best["auc"] - other.best["auc"]) < 0.02


def test_other_names_and_folders():
    with pytest.raises(data.DataError, match="'iris'.*named impressions"):
        data.load_ids("iris")
    with pytest.raises(data.DataError, match="--data_dir=/x.*reads no files"):
        data.load_ids("impressions", "/x")
