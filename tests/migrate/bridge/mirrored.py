"""Trains the small model on one replica and on two, and compares the results. A program.

    python -m tests.migrate.bridge.mirrored

Prints, as JSON, the largest difference of a weight for each optimizer, and the refusals.
"""

import json
import pathlib
import tempfile
import warnings

from modern.process import frame_memory, quiet_import

warnings.simplefilter("ignore")
quiet_import.import_tensorflow()

import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402
import tf_keras  # noqa: E402

from legacy.compat.v1 import estimator as tf_estimator  # noqa: E402
from migrate import bridge  # noqa: E402
from migrate.bridge import as_estimator  # noqa: E402
from tests.migrate.bridge import small  # noqa: E402
from tests.modern import draws  # noqa: E402


class Subclass(tf.train.AdamOptimizer):
    """Optimizer without a Keras counterpart. TensorFlow's apply_gradients runs across replicas."""


class Own(tf.train.Optimizer):
    """Optimizer that applies gradients itself and does not support replicas, such as BERT's."""

    def __init__(self):
        super().__init__(False, "Own")

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        done = []
        for gradient, variable in grads_and_vars:
            mean = tf.get_variable(
                variable.op.name + "/mean",
                variable.shape.as_list(),
                trainable=False,
                initializer=tf.zeros_initializer(),
            )
            next_mean = 0.5 * mean + 0.5 * gradient
            done += [mean.assign(next_mean), variable.assign(variable - 0.1 * next_mean)]
        return tf.group(*done, tf.assign_add(global_step, 1))


def averaged(loss, step):
    trained = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, step)
    with tf.control_dependencies([trained]):
        return tf.train.ExponentialMovingAverage(0.9).apply(tf.trainable_variables())


def with_unused_average(loss, step):
    """Creates moving averages that train_op leaves out."""
    tf.train.ExponentialMovingAverage(0.9).apply(tf.trainable_variables())
    return tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, step)


def by_hand(loss, step):
    variables = tf.trainable_variables()
    gradients = tf.gradients(loss, variables)
    done = [v.assign(v - 0.1 * g) for v, g in zip(variables, gradients, strict=True)]
    return tf.group(*done, tf.assign_add(step, 1))


def canned():
    """Returns the model_fn of a TensorFlow 1 Estimator, whose embedding table has a partitioner."""
    kind = tf.feature_column.categorical_column_with_identity("kind", 4)
    return tf_estimator.DNNRegressor(
        [3],
        [tf.feature_column.embedding_column(kind, 2)],
        optimizer=tf.train.GradientDescentOptimizer(0.1),
        loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE,
    ).model_fn


WAYS = {
    "averaged": averaged,
    "with_unused_average": with_unused_average,
    "subclass": lambda loss, step: Subclass(0.1).minimize(loss, step),
    "own": lambda loss, step: Own().minimize(loss, step),
    "canned": canned,
}


def kinds(features, labels):
    return {**features, "kind": tf.cast(tf.abs(features["x"][:, 0]) * 4, tf.int64) % 4}, labels


def trained(strategy, train):
    with strategy.scope():
        if train is canned:
            model = bridge.KerasModelFn(canned())
        else:
            model = bridge.KerasModelFn(small.model_fn, {"train": train})
    model.build_on(small.input_fn().map(kinds))
    random = np.random.RandomState(0)  # Some initializers draw other values in each process.
    for variable in model.trainable_variables:
        variable.assign(random.uniform(-1, 1, variable.shape))
    model.fit(small.endless().map(kinds), steps_per_epoch=3, verbose=0)
    metrics = model.evaluate(small.input_fn().map(kinds), verbose=0, return_dict=True)
    weights = {name: np.asarray(v.numpy(), float) for name, v in model.variables_by_name.items()}
    return weights | metrics


def drawn(strategy, path):
    """Checks that replicas in one process differ in batches, augmentation and dropout masks."""
    tf_keras.utils.set_random_seed(1)
    with strategy.scope():
        model = bridge.KerasModelFn(small.drawing_model_fn, {"draws": str(path)})
    as_estimator.train(model, lambda: small.drawing_input_fn().repeat(), max_steps=3)
    draws.check_distinct(path, 6)


def counted(features, labels, mode):
    """Adds two metrics to the small model_fn: one whose update is not its value, and a count."""
    spec = small.model_fn(features, labels, mode, {})
    if mode != tf_estimator.ModeKeys.EVAL:
        return spec
    is_true, is_said = labels > 0, features["x"][:, :1] > 0
    return spec._replace(
        eval_metric_ops={
            "iou": tf.metrics.mean_iou(is_true, is_said, 2),
            "missed": tf.metrics.false_negatives(is_true, is_said),
            **spec.eval_metric_ops,
        }
    )


def trained_and_evaluated(strategy):
    """Compares evaluations in and after a training with those of its checkpoint alone.

    Returns:
      The largest difference of a metric.
    """
    with tempfile.TemporaryDirectory() as folder:
        with strategy.scope():
            model = bridge.KerasModelFn(counted)
        as_estimator.restore(model, folder)
        found, _ = as_estimator.train_and_evaluate(
            model, small.endless, small.input_fn, max_steps=3
        )
        again = as_estimator.evaluate(model, small.input_fn())
        predicted = [*as_estimator.predict(model, small.input_fn())]
        alone = bridge.KerasModelFn(counted)
        as_estimator.restore(alone, folder)
        expected = as_estimator.evaluate(alone, small.input_fn())
        wanted = [*as_estimator.predict(alone, small.input_fn())]
    outputs = [[one["outputs"] for one in examples] for examples in (predicted, wanted)]
    assert np.allclose(*outputs, atol=2e-6)
    assert found.keys() == again.keys() == expected.keys(), (found, expected)
    return max(abs(one[name] - expected[name]) for one in (found, again) for name in found)


def refused_hooks(strategy):
    """Returns the errors for hooks of a training and for hooks of a spec.

    A training with `unknown_hooks="warn"` comes first and must not raise.
    """
    params = {"hooks": lambda: [tf.train.SessionRunHook()]}
    with strategy.scope():
        given = bridge.KerasModelFn(small.model_fn, {})
        own = bridge.KerasModelFn(small.model_fn, params)
        bridge.KerasModelFn(small.model_fn, params, unknown_hooks="warn").fit(
            small.input_fn(), verbose=0
        )
    said = []
    for model, hooks in ((given, [tf.train.SessionRunHook()]), (own, [])):
        try:
            model.fit(small.input_fn(), callbacks=as_estimator.run_hooks(hooks), verbose=0)
        except bridge.BridgeError as error:
            said.append(str(error))
    return said


def main():
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    one, two = tf.distribute.get_strategy(), tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])
    found = {}
    for name, train in WAYS.items():
        tf_keras.utils.set_random_seed(1)
        alone, together = trained(one, train), trained(two, train)
        assert alone.keys() == together.keys()
        found[name] = max(float(np.max(np.abs(alone[k] - together[k]))) for k in alone)
    try:
        trained(two, by_hand)
    except bridge.BridgeError as error:
        found["refused"] = str(error)
    found["refused_hooks"] = refused_hooks(two)
    found["train_and_evaluate"] = trained_and_evaluated(two)
    with tempfile.TemporaryDirectory() as folder:
        drawn(two, pathlib.Path(folder, "draws"))
    print(json.dumps(found))


if __name__ == "__main__":
    frame_memory.with_room(main)()
