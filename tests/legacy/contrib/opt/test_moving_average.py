"""Tests of moving averages that are saved instead of variables."""

import pytest
import tensorflow as tf

from legacy.contrib import opt

tf1 = tf.compat.v1


def test_a_checkpoint_has_the_average_under_the_name_of_the_variable(session, tmp_path):
    weight = tf1.get_variable("weight", initializer=1.0)
    inner = tf1.train.GradientDescentOptimizer(1.0)
    optimizer = opt.MovingAverageOptimizer(inner, average_decay=0.75)
    with pytest.raises(RuntimeError, match="Must call apply_gradients or minimize before"):
        optimizer.swapping_saver()
    step = optimizer.minimize(-4 * weight)
    saver = optimizer.swapping_saver()
    with pytest.raises(ValueError, match="Variable to swap .* is not part of variables to save"):
        optimizer.swapping_saver([weight])
    session.run(tf1.global_variables_initializer())
    session.run(step)
    assert session.run(weight) == 5.0
    reader = tf.train.load_checkpoint(saver.save(session, str(tmp_path / "model")))
    assert reader.get_tensor("weight") == 0.75 * 1 + 0.25 * 5
    (average,) = (name for name in reader.get_variable_to_shape_map() if "Average" in name)
    assert reader.get_tensor(average) == 5.0
