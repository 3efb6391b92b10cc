"""Tests for the log of predictions."""

import numpy as np
import pytest

from migrate.same_run import prediction_log, recording


def test_a_batch_is_logged_as_its_examples():
    batches, examples = prediction_log.PredictionLog("a"), prediction_log.PredictionLog("a")
    batches.add({"x": [[1, 2], [3, 4]]}, batch=True)
    examples.add({"x": [1, 2]}, batch=False)
    examples.add({"x": [3, 4]}, batch=False)
    one, other = batches.event(1), examples.event(1)
    assert one["values"]["x"].tolist() == other["values"]["x"].tolist() == [1, 2, 3, 4]
    assert (one["shapes"], one["examples"]) == ({"x": [(2,)]}, {"x": 2})
    assert one["digests"] == other["digests"]


def test_values_are_kept_to_a_limit_and_digested_beyond_it(monkeypatch):
    monkeypatch.setattr(recording, "PREDICTIONS_KEPT", 3)
    logs = [prediction_log.PredictionLog(""), prediction_log.PredictionLog("")]
    for log, last in zip(logs, (5, 6), strict=True):
        log.add(np.array([1, 2, 3, 4, last]), batch=True)
    one, other = (log.event(1) for log in logs)
    assert one["values"][""].tolist() == other["values"][""].tolist() == [1, 2, 3]
    assert one["digests"] != other["digests"]


def test_an_error_is_kept_for_the_event():
    log = prediction_log.PredictionLog("")
    log.add([[1], [1, 2]], batch=True)
    with pytest.raises(ValueError, match="inhomogeneous"):
        log.event(1)
