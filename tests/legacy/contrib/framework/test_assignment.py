"""Tests of values that are assigned to variables."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import framework

tf1 = tf.compat.v1


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.get_variable("a", initializer=[1.0, 2.0])
        tf1.get_variable("b", initializer=3.0)
        session.run(tf1.global_variables_initializer())
        return tf1.train.Saver().save(session, str(tmp_path / "model"))


def test_values_by_name(session):
    for name in ("net/a", "net/ab"):
        tf1.get_variable(name, [2])
    framework.assign_from_values_fn({"net/a": np.array([[3.0], [4.0]])})(session)
    (variable,) = framework.get_variables_by_name("a")
    assert session.run(variable).tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="Variable other wasn't found"):
        framework.assign_from_values({"other": np.zeros(2)})
    with pytest.raises(ValueError, match="doesn't uniquely identify"):
        framework.assign_from_values({"net": np.zeros(2)})


def test_a_checkpoint_fills_whole_variables_and_parts(session, checkpoint):
    parts = tf1.get_variable("a", [2], partitioner=tf1.fixed_size_partitioner(2))
    other = tf1.get_variable("other", [])
    restore, feeds = framework.assign_from_checkpoint(checkpoint, {"a": list(parts), "b": other})
    session.run(restore, feeds)
    assert session.run([tf.concat(list(parts), 0), other])[0].tolist() == [1.0, 2.0]
    assert session.run(other) == 3.0
    assert framework.get_variable_full_name(next(iter(parts))) == "a"


def test_what_the_checkpoint_lacks(session, checkpoint):
    known, missing = tf1.get_variable("b", []), tf1.get_variable("missing", [])
    with pytest.raises(ValueError, match=r"Checkpoint is missing variable \[missing\]"):
        framework.assign_from_checkpoint(checkpoint, [missing])
    restore = framework.assign_from_checkpoint_fn(checkpoint, [known, missing], True)
    restore(session)
    assert session.run(known) == 3.0
    assert framework.assign_from_checkpoint_fn(checkpoint, [missing], True) is None
    with pytest.raises(ValueError, match="var_list cannot be empty"):
        framework.assign_from_checkpoint_fn(checkpoint, [])
    wrong = tf1.get_variable("wrong", [3])
    with pytest.raises(ValueError, match="Total size of new array must be unchanged for a"):
        framework.assign_from_checkpoint(checkpoint, {"a": wrong})
