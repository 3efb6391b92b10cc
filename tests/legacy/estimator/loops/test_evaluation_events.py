"""Tests of the results that an evaluation writes."""

import pathlib

import numpy as np
import tensorflow as tf

from legacy.estimator.loops import evaluation_events
from tests.legacy.estimator.models import dataset

tf1 = tf.compat.v1


def test_evaluate(trained):
    results = trained.evaluate(lambda: dataset(repeat=1), name="some")
    assert set(results) == {"loss", "mae", "global_step"}
    assert results["global_step"] == 10
    (path,) = pathlib.Path(trained.eval_dir("some")).iterdir()
    tags = [
        value.tag
        for event in tf1.train.summary_iterator(str(path))
        for value in event.summary.value
    ]
    assert tags == ["loss", "mae", "checkpoint_path"]


def test_values_by_their_kinds(caplog):
    serialized = tf1.Summary(value=[tf1.Summary.Value(tag="x", simple_value=2.0)])
    values = {
        "global_step": 5,
        "loss": np.float32(0.5),
        "images": serialized.SerializeToString(),
        "matrix": np.ones([2, 2]),
        "text": "no number",
    }
    found = evaluation_events.summary_of(values)
    assert [value.tag for value in found.value] == ["loss", "images/0", "matrix"]
    assert [value.simple_value for value in found.value[:2]] == [0.5, 2.0]
    assert tf.make_ndarray(found.value[2].tensor).tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert "Skipping summary for text" in caplog.text
