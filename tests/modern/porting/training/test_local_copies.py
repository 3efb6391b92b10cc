"""Tests of evaluations and predictions in one process. tests/cluster tests those in clusters."""

import numpy as np
import pytest

from modern.porting.training import local_copies
from tests.modern import generated


def test_without_a_cluster_they_are_those_of_keras():
    model, data = generated.compiled(), generated.data(10).batch(4)
    expected = model.evaluate(data, verbose=0, return_dict=True)
    assert local_copies.evaluate(model, data) == pytest.approx(expected)
    found = [batch["out"] for batch in local_copies.predictions(model, data)]
    assert [len(batch) for batch in found] == [4, 4, 2]
    np.testing.assert_allclose(np.concatenate(found), model.predict(data, verbose=0)["out"])


def test_features_may_come_without_labels():
    model, data = generated.compiled(), generated.data(4).batch(4)
    (labelled,) = local_copies.predictions(model, data)
    (found,) = local_copies.predictions(model, data.map(lambda features, labels: features))
    np.testing.assert_array_equal(found["out"], labelled["out"])


def test_an_evaluation_has_its_own_sums():
    model, data = generated.compiled(), generated.data(10).batch(4)
    first = local_copies.evaluate(model, data)
    model.fit(data, verbose=0)
    second = local_copies.evaluate(model, data)
    assert second != pytest.approx(first)
    assert local_copies.evaluate(model, data) == pytest.approx(second)
