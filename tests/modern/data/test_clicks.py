"""Tests for the generated click log and its best possible AUC."""

import numpy as np
import pytest
from sklearn import metrics

from modern import data
from modern.data import adult, clicks


def test_columns():
    log = clicks.clicks(0, train_size=100, test_size=50)
    assert set(log.train_features) == {*adult.NUMERIC, *adult.TEXT}
    for name in adult.NUMERIC:
        assert log.train_features[name].dtype == np.float32
    for name, words in adult.VOCABULARIES.items():
        assert set(log.test_features[name].astype(str)) <= set(words)
    assert (log.train_labels.shape, log.test_labels.shape) == ((100, 1), (50, 1))
    assert set(np.unique(log.train_labels)) == {0, 1}


def test_the_truth_is_one_for_all_seeds_and_the_visitors_are_not():
    first, again, other = (clicks.clicks(seed, train_size=10) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.test_labels, again.test_labels)
    assert (first.test_labels != other.test_labels).any()
    assert first.best == again.best
    assert abs(first.best["auc"] - other.best["auc"]) < 0.02


def test_best_auc_is_that_of_the_true_probabilities():
    rng = np.random.default_rng(0)
    visitors = clicks._visitors(rng, 20_000)
    log_odds = clicks._log_odds(visitors)
    clicked = rng.random(20_000) < 1 / (1 + np.exp(-log_odds))
    best = clicks.clicks(3).best["auc"]
    assert abs(clicks.auc(log_odds, clicked.astype(float)) - best) < 0.02
    # Only crosses learn the pairs of education and occupation. Without the pairs, the best AUC
    # is out of reach.
    blind = {**visitors, "occupation": visitors["occupation"] // 20 * 20}
    assert clicks.auc(clicks._log_odds(blind), clicked.astype(float)) < best - 0.04


def test_auc_with_ties():
    rng = np.random.default_rng(0)
    scores = rng.random(300).round(1)
    labels = (rng.random(300) < scores).astype(float)
    assert clicks.auc(scores, labels) == pytest.approx(metrics.roc_auc_score(labels, scores))


def test_other_names_and_folders():
    with pytest.raises(data.DataError, match="'iris'.*Choose clicks or adult"):
        data.load_table("iris")
    with pytest.raises(data.DataError, match="--data_dir=/x.*reads no files"):
        data.load_table("clicks", "/x")
