"""Tests for Estimators of contrib.learn, which become those of tf.estimator."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "learn_estimators")
PLAN = tools.plan(api="v1")
BASE = """\
from legacy.contrib import learn
import tensorflow.compat.v1 as tf

def input_fn():
    return {"a": tf.constant([[1.0], [2.0]])}, tf.constant([0, 1])

def model_fn(features, targets, mode):
    logits = tf.layers.dense(features["a"], 2)
    classes = tf.argmax(logits, 1)
    if mode == learn.ModeKeys.INFER:
        return learn.ModelFnOps(mode, {"classes": classes})
    loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return learn.ModelFnOps(mode, {"classes": classes}, loss, train_op)

def experiment_fn(output_dir):
    job = learn.Estimator(model_fn, output_dir)
    metrics = {"right": learn.MetricSpec(tf.metrics.accuracy, prediction_key="classes")}
    return learn.Experiment(job, input_fn, input_fn, eval_metrics=metrics, train_steps=3)

learn.learn_runner.run(experiment_fn, "model", schedule="train_and_evaluate")
"""


def _rewritten(text, plan=PLAN):
    return fixed_point.rewrite(text, RULE, unsafe=True, plan=plan)


def test_metrics_of_an_experiment_move_into_the_model_fn():
    text = _rewritten(BASE).text
    assert "Experiment(job, input_fn, input_fn, train_steps=3)" in text
    assert "MetricSpec" not in text
    (line,) = (line.strip() for line in text.splitlines() if "eval_metric_ops" in line)
    assert line.startswith(
        'eval_metric_ops={"right": tf.metrics.accuracy(labels=labels, predictions=classes)} if mode'
    )
    # A prediction has no labels.
    assert 'return tf_estimator.EstimatorSpec(mode, {"classes": classes})\n' in text


def test_the_other_rules_take_it_to_keras():
    text = fixed_point.rewrite(BASE, rules.all_rules("modern"), unsafe=True, plan=PLAN).text
    assert "class Model(tf_keras.Model)" in text
    assert "contrib" not in text
    assert "tf_estimator" not in text


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("eval_metrics=metrics", "eval_metrics={'right': f}", "not a dictionary of MetricSpecs"),
        ('prediction_key="classes"', 'prediction_key="other"', "no known prediction_key"),
        ('prediction_key="classes"', 'weight_key="a"', "a weight_key"),
        ("tf.metrics.accuracy", "tf.contrib.metrics.streaming_covariance", "not one of tf.metrics"),
        (
            "output_dir)\n    metrics",
            "output_dir)\n    job.export(f)\n    metrics",
            "no counterpart",
        ),
        ("output_dir)\n    metrics", "output_dir)\n    other(job)\n    metrics", "passed on"),
        ("targets, mode)", "targets, mode, model_dir)", "takes other arguments"),
        ("classes = tf.argmax", "labels = targets\n    classes = tf.argmax", "named labels"),
        ("loss, train_op)", "loss, train_op, output_alternatives=o)", "use export_outputs"),
        ("learn.Estimator(model_fn", "learn.Estimator(lambda f, t: None", "not a function of this"),
        (
            "def experiment_fn",
            "learn.ModelFnOps('eval')\n\ndef experiment_fn",
            "not in its model_fn",
        ),
        ("def experiment_fn", "kinds = [learn.Estimator]\n\ndef experiment_fn", "but not called"),
    ],
)
def test_other_estimators_stay_with_the_reason(old, new, reason):
    assert old in BASE
    text = BASE.replace(old, new)
    outcome = _rewritten(text)
    assert outcome.text == text
    (suggestion,) = outcome.suggestions
    assert reason in suggestion.reason


def test_parts_in_other_files_stay():
    plan = tools.plan(api="v1", names_elsewhere=frozenset(("tf.contrib.learn.ModelFnOps",)))
    outcome = _rewritten(BASE, plan)
    assert outcome.text == BASE
    assert "another file of the program" in outcome.suggestions[0].reason
