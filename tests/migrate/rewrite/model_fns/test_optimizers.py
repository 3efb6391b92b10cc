"""Tests for train_ops that become optimizers: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.TRAIN,
            "with tf.control_dependencies([tf.scatter_add(other.count, 0, 1)]):\n"
            f"        {base_program.TRAIN}",
            "how 'train_op' trains",
        ),
        ("AdamOptimizer", "ProximalAdagradOptimizer", "tf.train.ProximalAdagradOptimizer"),
        ("(loss, step)", "(loss * 2, step)", "another loss"),
        ("(loss, step)", "(loss)", "does not count the global step"),
        ("(loss, step)", "(loss, step, [other.variable])", "is given is not known"),
        ("(0.1)", "(tf.reduce_mean(out))", "depends on features"),
        ("(0.1)", "(tf.train.noisy_linear_cosine_decay(0.1, step, 5))", "tf.train.get_global_step"),
        (base_program.TRAIN, f"{base_program.TRAIN}\n    loss = loss * 2.0", "trains is not known"),
        (base_program.TRAIN, "train_op = other.train(loss)", "how"),
        (
            base_program.TRAIN,
            f"{base_program.TRAIN}\n    train_op = tf.group([train_op, other.op])",
            "trains is not known",
        ),
        (
            base_program.TRAIN,
            "w = tf.gather(net, [0])\n"
            "    train_op = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, step)",
            "all rows of an embedding",
        ),
        (
            base_program.TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n    gradients = opt.compute_gradients(loss)\n"
            "    gradients = [(other.f(g), v) for g, v in gradients]\n"
            "    train_op = opt.apply_gradients(gradients, step)",
            "is not known",
        ),
        (
            base_program.TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n"
            "    pairs = [(tf.clip_by_value(g, -1.0, 2.0), v) "
            "for g, v in opt.compute_gradients(loss)]\n"
            "    train_op = opt.apply_gradients(pairs, step)",
            "not symmetric",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
