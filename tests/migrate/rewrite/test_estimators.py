"""Tests for Estimators with a bridged model_fn: names, folders and whole old programs."""

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head
from tests.oracle import compare


def test_a_canned_estimator_whose_folder_is_computed_is_left_alone():
    text = head.HEAD + "job = tf_estimator.LinearRegressor(columns, make_folder())\n"
    outcome = tools.check_noop(text, tools.rule("modern", "canned_estimators"), api="v2")
    assert "assign it to a name" in outcome.suggestions[0].reason


def test_names_of_other_scopes_are_others():
    text = head.HEAD + (
        "def first():\n    job = tf_estimator.Estimator(m)\n    job.train(input_fn)\n"
        "def second():\n    job = tf_estimator.Estimator(n)\n    job.train(input_fn)\n"
        "job = first()\n"
    )
    outcome = fixed_point.rewrite(text, head.ESTIMATORS, plan=tools.plan(api="v2"))
    assert outcome.text.count("bridge.KerasModelFn(") == 2
    for declared in ("global", "nonlocal"):
        inner = f"def g():\n        {declared} job\n        job = 3\n"
        text = f"{head.HEAD}def f():\n    {inner}    job = tf_estimator.Estimator(m)\n"
        outcome = fixed_point.rewrite(text, head.ESTIMATORS, plan=tools.plan(api="v2"))
        is_other = declared == "global"
        assert ("bridge.KerasModelFn(" in outcome.text) == is_other, declared


PROGRAM = """\
import tensorflow as tf

def model_fn(features, labels, mode, params):
    start = tf.constant_initializer(0.5)
    hidden = tf.layers.dense(features["a"], params["units"], tf.nn.tanh, kernel_initializer=start)
    outputs = tf.layers.dense(hidden, 1, kernel_initializer=start, name="last")[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"outputs": outputs})
    loss = tf.losses.mean_squared_error(labels, outputs)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    metrics = {"rmse": tf.metrics.root_mean_squared_error(labels, outputs)}
    return tf.estimator.EstimatorSpec(mode, None, loss, train_op, metrics)

def input_fn(epochs):
    features = {"a": [[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]]}
    data = tf.data.Dataset.from_tensor_slices((features, [1.0, 2.0, -1.0]))
    return data.repeat(epochs).batch(2).make_one_shot_iterator().get_next()

def main():
    estimator = tf.estimator.Estimator(
        model_fn, "model", tf.estimator.RunConfig(keep_checkpoint_max=2), {"units": 3})
    estimator.train(lambda: input_fn(None), steps=5)
    estimator.train(input_fn=lambda: input_fn(3), max_steps=8)
    metrics = estimator.evaluate(input_fn=lambda: input_fn(1))
    return metrics, list(estimator.predict(lambda: input_fn(1)))

x = main()
"""
WITH_SPECS = """\
import os
import tensorflow as tf

MODEL_DIR = "model"

def model_fn(features, labels, mode):
    scale = tf.get_variable("scale", [], initializer=tf.ones_initializer())
    outputs = features["a"] * scale
    if mode == tf.estimator.ModeKeys.PREDICT:
        export = {"serving_default": tf.estimator.export.PredictOutput({"outputs": outputs})}
        return tf.estimator.EstimatorSpec(mode, {"outputs": outputs}, export_outputs=export)
    loss = tf.reduce_sum(tf.square(labels - outputs))
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    optimizer = tf.train.AdagradOptimizer(0.1)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn(epochs=1):
    return tf.data.Dataset.from_tensors(({"a": [1.0, 2.0]}, [3.0, 5.0])).repeat(epochs)

def serving_input_receiver_fn():
    examples = tf.placeholder(tf.string, [None], name="examples")
    parsed = tf.parse_example(examples, {"a": tf.FixedLenFeature([], tf.float32)})
    return tf.estimator.export.ServingInputReceiver(parsed, {"examples": examples})

def main():
    config = tf.estimator.RunConfig(MODEL_DIR, save_checkpoints_steps=4)
    estimator = tf.estimator.Estimator(model_fn, config=config)
    train_spec = tf.estimator.TrainSpec(
        lambda: input_fn(None), hooks=[tf.train.StopAtStepHook(last_step=6)])
    exporter = tf.estimator.FinalExporter("final", serving_input_receiver_fn)
    eval_spec = tf.estimator.EvalSpec(input_fn, steps=1, exporters=[exporter], throttle_secs=0)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
    folder = os.path.join(estimator.model_dir, "export", "final")
    exported = [os.path.exists(os.path.join(folder, name, "saved_model.pb"))
                for name in os.listdir(folder)]
    return estimator.evaluate(input_fn), exported, os.path.basename(estimator.latest_checkpoint())

x = main()
"""


def _carried_over(program):
    """Returns the program, rewritten to legacy and then to modern."""
    plan = tools.plan(api="v1")
    text = fixed_point.rewrite(program, rules.all_rules("legacy"), plan=plan).text
    applied = [rule for rule in tools.TO_MODERN if rule.name != "model_fns"]
    outcome = fixed_point.rewrite(text, applied, unsafe=True, plan=plan)
    assert "bridge.KerasModelFn(" in outcome.text
    for gone in ("disable_v2_behavior", ".Estimator(", ".TrainSpec", "StopAtStep", "Spec("):
        assert gone not in outcome.text.replace("EstimatorSpec(", "")
    return outcome.text


def test_programs_of_tensorflow_1_compute_the_same_when_they_have_been_carried_over():
    programs = [PROGRAM, WITH_SPECS]
    before = tools.run(programs, "old")
    after = tools.run([_carried_over(program) for program in programs], "eager")
    assert not any("raised" in found for found in before)
    assert compare.differences(before, after) == []
