"""A small model_fn and its data for the tests of the bridge."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.modern import draws


def data():
    """Returns features {"x": (64, 4)} and labels (64, 1), float32."""
    random = np.random.RandomState(0)
    return {"x": random.randn(64, 4).astype("f")}, random.randn(64, 1).astype("f")


def input_fn():
    """Returns four batches of 16."""
    return tf.data.Dataset.from_tensor_slices(data()).batch(16)


def drawing_input_fn():
    """Returns the same batches with unseeded random numbers added."""
    return draws.added(tf.data.Dataset.from_tensor_slices(data())).batch(16)


def numbered_input_fn(input_context):
    """Returns this pipeline's share of sixteen numbered batches of four."""
    examples = tf.data.Dataset.from_tensor_slices(data())
    batches = draws.added(examples, shuffled=False).batch(4)
    return batches.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)


def endless():
    return input_fn().repeat()


def first_weights(seed):
    return tf.glorot_uniform_initializer(seed=seed)


def model(features):
    hidden = tf.layers.dense(features["x"], 3, tf.nn.tanh, kernel_initializer=first_weights(1))
    return tf.layers.dense(hidden, 1, kernel_initializer=first_weights(2))


def model_fn(features, labels, mode, params):
    """Trains by `params["train"]`, a function (loss, step) -> train_op, or by Adam."""
    outputs = model(features)
    predictions = {"outputs": outputs}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, predictions)
    loss = tf.losses.mean_squared_error(labels, outputs)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {
            "mae": tf.metrics.mean_absolute_error(labels, outputs),
            "rmse": tf.metrics.root_mean_squared_error(labels, outputs),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    train = params.get("train") or adam
    train_op = train(loss, tf.train.get_or_create_global_step())
    return tf_estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, training_hooks=params.get("hooks", lambda: [])()
    )


def logging_model_fn(features, labels, mode, params):
    """Adds hooks that only log to `drawing_model_fn`."""

    def hooks():
        counter = tf.train.StepCounterHook(every_n_steps=10)
        return [tf.train.LoggingTensorHook({"step": "global_step"}, every_n_iter=10), counter]

    return drawing_model_fn(features, labels, mode, {**params, "hooks": hooks})


def drawing_model_fn(features, labels, mode, params):
    """Records the unseeded random numbers of each training step."""
    if mode == tf_estimator.ModeKeys.TRAIN and "draws" in params:
        draws.note(features, tf.nn.dropout(tf.ones([64]), rate=0.5), params["draws"])
    return model_fn(features, labels, mode, params)


def adam(loss, step):
    return tf.train.AdamOptimizer(0.1).minimize(loss, step)


def spec_of_one_weight():
    """Returns a spec that trains a variable "w" and reads no features."""
    loss = tf.reduce_mean(tf.get_variable("w", [2]) ** 2)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec("train", loss=loss, train_op=train_op)


def build(model_fn, **options):
    """Returns a bridged model with its variables for training."""
    built = bridge.KerasModelFn(model_fn, **options)
    built.build_on(*data())
    return built
