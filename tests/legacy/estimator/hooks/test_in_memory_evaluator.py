"""Tests of evaluations that InMemoryEvaluatorHook rejects. The oracle compares its values."""

import json

import pytest
import tensorflow as tf

from legacy import estimator
from tests.legacy.estimator import models

tf1 = tf.compat.v1


@pytest.mark.parametrize("others", [{"ps": ["b:1"]}, {"worker": ["b:1"]}])
def test_clusters(others, monkeypatch, tmp_path):
    cluster = {"cluster": {"chief": ["a:1"], **others}, "task": {"type": "chief", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    trained = estimator.Estimator(models.model_fn, str(tmp_path))
    with pytest.raises(ValueError, match="supports only single machine"):
        estimator.experimental.InMemoryEvaluatorHook(trained, models.dataset)


def test_what_is_saved_beside_variables(tmp_path):
    trained = estimator.Estimator(models.model_fn, str(tmp_path))
    hook = estimator.experimental.InMemoryEvaluatorHook(trained, models.dataset, steps=1)
    with tf.Graph().as_default():
        tf1.add_to_collection(tf1.GraphKeys.SAVEABLE_OBJECTS, "a table")
        with pytest.raises(ValueError, match="does not support saveables"):
            hook.after_create_session(None, None)
