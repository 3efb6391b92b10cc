"""Tests of numpy_input_fn in an Estimator. The oracle's `numpy_input` covers its ops and errors."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator
from legacy.estimator.inputs import numpy_input_fn

tf1 = tf.compat.v1


def identity_fn(features, labels, mode):
    """Model that counts examples by its global step."""
    size = tf.size(features["x"], out_type=tf.int64)
    return estimator.EstimatorSpec(
        mode,
        predictions=features,
        loss=tf.cast(size, tf.float32),
        train_op=tf1.assign_add(tf1.train.get_global_step(), size),
    )


def test_all_modes_end_with_the_data(tmp_path):
    x = {"x": np.arange(7)}
    counting = estimator.Estimator(identity_fn, str(tmp_path))
    counting.train(numpy_input_fn(x, x["x"], batch_size=2, num_epochs=3, shuffle=True))
    assert counting.get_variable_value("global_step") == 21
    metrics = counting.evaluate(numpy_input_fn(x, x["x"], batch_size=2, shuffle=False))
    assert metrics["loss"] == 7 / 4
    input_fn = numpy_input_fn(x, batch_size=2, shuffle=False)
    for _ in range(2):  # The function can be called again.
        predictions = counting.predict(input_fn)
        assert [int(each["x"]) for each in predictions] == list(range(7))


def test_several_threads_warn_of_what_they_do(caplog):
    with tf.Graph().as_default():
        numpy_input_fn(np.arange(3), num_epochs=1, shuffle=False, num_threads=2)()
    assert "more epochs than you probably intend" in caplog.text
    assert "want examples read in order" in caplog.text


def test_errors_name_what_is_wrong():
    with pytest.raises(ValueError, match="explicitly set as boolean .* got None"):
        numpy_input_fn(np.arange(3))
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match=r"mismatched.*\n.*'a': \(3,\).*\n.*'__target_key__': \(2,"),
    ):
        numpy_input_fn({"a": np.arange(3)}, np.arange(2), shuffle=False)()
