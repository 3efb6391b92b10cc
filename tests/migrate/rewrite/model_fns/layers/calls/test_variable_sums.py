"""Tests for variables that a model_fn adds to: texts, and values."""

import tensorflow as tf
import tf_keras

from tests.migrate.rewrite.model_fns import base_program


def test_a_sum_is_a_new_value():
    new = (
        "w = tf.get_variable('w', [3, 1])\n    w += 1.0\n    b = tf.Variable(0.0)\n"
        "    other = b\n    other *= 2.0 - net\n    net -= 1.0\n    out = tf.matmul(net, w) + other"
    )
    text = base_program.model_class((base_program.OUT, new))
    assert "w = self.w\n        w = w + 1.0\n" in text
    assert "other = b\n        other = other * (2.0 - net)\n        net -= 1.0\n" in text


def test_the_loss_may_add_to_a_variable():
    text = base_program.model_class(
        (base_program.OUT, "w = tf.get_variable('w', [])\n    out = w * net"),
        (
            "    step =",
            "    w += loss\n    loss = w\n    step =",
        ),
    )
    assert "w = w + loss" in text


def test_each_part_adds_to_the_variables_of_its_loop():
    new = (
        "for i in range(2):\n        w = tf.get_variable('w%d' % i, [3, 3])\n"
        "        w += 1.0\n        net = tf.matmul(net, w)\n    out = net"
    )
    text = base_program.model_class((base_program.OUT, new))
    scope = {"tf": tf.compat.v1, "tf_keras": tf_keras}
    exec(text, scope)
    model = scope["Model"]({"units": 1})
    result = model(tf.ones([1, 3]))
    first, second = (tf.convert_to_tensor(weight) for weight in model.trainable_weights)
    expected = tf.ones([1, 3]) @ (first + 1.0) @ (second + 1.0)
    tf.debugging.assert_near(result, expected)
