"""A program whose model_fn becomes a Keras model. The tests change a part of it."""

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "model_fns")
BASE = """\
from legacy import estimator as e
import tensorflow.compat.v1 as tf
import other

def model_fn(features, labels, mode, params):
    net = features
    out = tf.layers.dense(net, params["units"])
    if mode == e.ModeKeys.PREDICT:
        return e.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    step = tf.train.get_global_step()
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, step)
    metrics = {"mae": tf.metrics.mean_absolute_error(labels, out)}
    return e.EstimatorSpec(mode, None, loss, train_op, metrics)

job = e.Estimator(model_fn, params={"units": 1})
"""
OUT = 'out = tf.layers.dense(net, params["units"])'
TRAIN = "train_op = tf.train.AdamOptimizer(0.1).minimize(loss, step)"
METRICS = '{"mae": tf.metrics.mean_absolute_error(labels, out)}'


def refusal(old, new):
    """Returns the reason why the program with a changed part stays as it is."""
    text = BASE.replace(old, new)
    assert text != BASE
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    (made,) = outcome.suggestions
    assert not made.applicable
    return made.reason


def model_class(*changes, base=BASE):
    """Returns the text of the Keras model of the program with changed parts.

    Args:
      changes: Pairs of an old and a new part.
      base: The program.
    """
    text = base
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    outcome = fixed_point.rewrite(text, RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text != text, [made.reason for made in outcome.suggestions]
    return "class " + outcome.text.partition("class ")[2].partition("\n\n\njob =")[0]
