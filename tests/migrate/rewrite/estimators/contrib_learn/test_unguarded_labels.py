"""Tests for model_fns of contrib.learn that use their labels in predictions too."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "learn_estimators")
PLAN = tools.plan(api="v1")
TUPLE = """\
from legacy.contrib import learn
import tensorflow.compat.v1 as tf

def model_fn(features, target):
    # Labels as vectors.
    classes = tf.one_hot(target, 3)
    # The layer.
    logits = tf.layers.dense(features, 3)
    loss = tf.losses.softmax_cross_entropy(classes, logits)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.argmax(logits, 1), loss, train_op

job = learn.SKCompat(learn.Estimator(model_fn))
job.fit(data, target, steps=3)
job.score(data, target, metrics={"right": learn.MetricSpec(tf.metrics.accuracy)})
"""


def _rewritten(text):
    return fixed_point.rewrite(text, RULE, unsafe=True, plan=PLAN)


def test_predictions_are_returned_before_the_labels_are_used():
    text = _rewritten(TUPLE).text
    metric = "tf.metrics.accuracy(labels=labels, predictions=tf.argmax(logits, 1))"
    metrics = (
        f'eval_metric_ops={{"right": {metric}}} if mode == tf_estimator.ModeKeys.EVAL else None'
    )
    function = f"""\
def model_fn(features, labels, mode):
    # The layer.
    logits = tf.layers.dense(features, 3)
    predictions = tf.argmax(logits, 1)
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, predictions)
    # Labels as vectors.
    classes = tf.one_hot(labels, 3)
    loss = tf.losses.softmax_cross_entropy(classes, logits)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, predictions, loss, train_op, {metrics})
"""
    assert function in text


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("return tf.argmax(logits, 1)", "return target", "its predictions need the labels"),
        ("return tf.argmax(logits, 1)", "return {'loss': loss}", "predictions need the labels"),
        ("dense(features", "dense(target", "its predictions need the labels"),
        ("classes = tf.one_hot(target, 3)", "classes = tf.layers.dense(target, 3)", "cannot move"),
        ("classes = tf.one_hot(target, 3)", "classes = one_hot(target)", "cannot move"),
        ("classes = tf.one_hot(target, 3)", "classes = features - target", ""),
        ("dense(features, 3)", "dense(tf.get_collection('x')[0], 3)", "cannot move"),
        ("classes = tf", "target; classes = tf", "has several statements"),
        ("tf.argmax(logits, 1), loss, train_op", "make(features)", "neither ModelFnOps nor"),
        ("    # The layer", "    if late:\n        return a, b, c\n    # The", "at several places"),
        ("features, target)", "features, target=None)", "has a default"),
        ("job = learn", "model_fn(x, y)\njob = learn", "no parameter for the mode"),
        ("# The layer.", "target = 1", "which line 7 binds again"),
        ("# The layer.", "mode = 1", "no parameter for the mode"),
    ],
)
def test_other_model_fns_without_a_mode_stay(old, new, reason):
    assert old in TUPLE
    text = TUPLE.replace(old, new)
    outcome = _rewritten(text)
    if not reason:
        assert not outcome.suggestions
        return
    assert outcome.text == text
    assert reason in outcome.suggestions[0].reason
