"""Tests for the roles of tensors in an object-based checkpoint."""

import tensorflow as tf
import tf_keras

from migrate.checkpoint import open_source


def test_state_of_variables_that_share_a_name_is_no_variable(tmp_path):
    pair = [tf.Variable([1.0], name="w"), tf.Variable([2.0], name="w")]
    optimizer = tf_keras.optimizers.Adam()
    optimizer.build(pair)
    path = tf.train.Checkpoint(v=pair, optimizer=optimizer).write(str(tmp_path / "ckpt"))
    found = open_source(path)
    assert [one.name for one in found.of("variable")] == ["v/0", "v/1"]
    assert [one.owner for one in found.of("slot")] == [""] * 4
