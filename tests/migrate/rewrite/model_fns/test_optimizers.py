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
            "the train_op 'train_op'",
        ),
        ("AdamOptimizer", "ProximalAdagradOptimizer", "tf.train.ProximalAdagradOptimizer"),
        ("(loss, step)", "(loss * 2, step)", "instead of its loss"),
        ("(0.1)", "(0.1 * tf.cast(step, tf.float32) * tf.reduce_mean(out))", "depends on features"),
        ("(0.1)", "(tf.train.linear_cosine_decay(0.1, step, 5))", "tf.train.linear_cosine_decay"),
        ("(loss, step)", "(loss)", "does not increment the global step"),
        ("(loss, step)", "(loss, step, [other.variable])", "the arguments of"),
        ("(0.1)", "(tf.reduce_mean(out))", "depends on features"),
        (
            "(0.1)",
            "(tf.train.noisy_linear_cosine_decay(0.1, step, 5))",
            "noisy_linear_cosine_decay",
        ),
        (base_program.TRAIN, f"{base_program.TRAIN}\n    loss = loss * 2.0", "the train_op"),
        (base_program.TRAIN, "train_op = other.train(loss)", "the train_op"),
        (
            base_program.TRAIN,
            f"{base_program.TRAIN}\n    train_op = tf.group([train_op, other.op])",
            "the train_op",
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
            "the gradients 'gradients'",
        ),
        (
            base_program.TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n"
            "    pairs = [(tf.clip_by_value(g, -1.0, 2.0), v) "
            "for g, v in opt.compute_gradients(loss)]\n"
            "    train_op = opt.apply_gradients(pairs, step)",
            "asymmetric",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
