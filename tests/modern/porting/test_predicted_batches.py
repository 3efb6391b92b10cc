"""Tests of predictions, batch by batch and one by one."""

import numpy as np
import pytest

from modern import porting
from modern.porting import predicted_batches
from tests.modern import ported


def test_predictions_come_one_by_one_when_they_are_asked_for():
    model = ported.compiled()
    data = ported.data()
    found = list(porting.predict(model, data))
    expected = model.predict(data, verbose=0)["out"]
    np.testing.assert_array_equal([one["out"] for one in found], expected)
    endless = data.map(lambda features, labels: features).repeat()
    assert next(porting.predict(model, endless, "out", False))["out"].shape == (16, 1)
    with pytest.raises(ValueError, match="nowhere"):
        next(porting.predict(model, endless, ["nowhere"]))


def test_selects_predictions_by_name():
    predictions = {"a": 1, "b": 2, "c": 3}
    assert predicted_batches.select(predictions, ["c", "a"]) == {"a": 1, "c": 3}
    assert predicted_batches.select(predictions, None) == predictions
    with pytest.raises(ValueError, match="non-dict predictions"):
        predicted_batches.select(np.ones(2), ["a"])


@pytest.mark.parametrize(
    ("batch", "error", "message"),
    [
        ({"a": np.ones(2), "b": np.ones(3)}, ValueError, "b has different batch length"),
        ({"a": np.ones(2), "b": np.ones(())}, IndexError, r"predictions\[b\] is a scalar"),
        (np.ones(()), TypeError, "0-d array"),
    ],
)
def test_a_batch_that_has_no_examples(batch, error, message):
    with pytest.raises(error, match=message):
        list(predicted_batches.examples(batch))


def test_joins_batches():
    batches = [np.array([1, 2]), np.array([3])]
    np.testing.assert_array_equal(predicted_batches.concatenated(iter(batches)), [1, 2, 3])
    joined = predicted_batches.concatenated({"a": batch} for batch in batches)
    np.testing.assert_array_equal(joined["a"], [1, 2, 3])
