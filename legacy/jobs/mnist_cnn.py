"""The convolutional network for digits, as a model_fn. Read it next to `modern/jobs/mnist_cnn.py`.

python -m legacy.train --flagfile=legacy/jobs/mnist_cnn.flags
"""

from __future__ import annotations

from typing import Any

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

# Input functions carry over unchanged, in both directions.
from modern.jobs.mnist_cnn import (  # noqa: F401
    BATCH_SIZE,
    DATASETS,
    LEARNING_RATE,
    eval_input_fn,
    load_data,
    train_input_fn,
)


def build_model(images: tf.Tensor, training: bool) -> tf.Tensor:
    """Returns logits (batch, 10) for images (batch, 28, 28) float32."""
    del training  # no layer behaves differently
    x = tf.reshape(images, [-1, 28, 28, 1])
    x = tf.layers.conv2d(x, 32, 3, activation=tf.nn.relu, name="conv")
    x = tf.layers.flatten(x)
    x = tf.layers.dense(x, 128, activation=tf.nn.relu, name="hidden")
    return tf.layers.dense(x, 10, name="logits")


def make_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    """Returns the sparse categorical cross-entropy from logits, averaged over the batch."""
    return tf.losses.sparse_softmax_cross_entropy(labels, logits)


def make_metrics(labels: tf.Tensor, logits: tf.Tensor) -> dict[str, Any]:
    """Returns the metrics that evaluation reports in addition to the loss."""
    return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))}


def make_learning_rate(base: float, global_step: tf.Tensor) -> float:
    """Returns a constant learning rate."""
    del global_step
    return base


def make_optimizer(learning_rate: float | tf.Tensor) -> tf.train.Optimizer:
    """Returns plain SGD."""
    return tf.train.GradientDescentOptimizer(learning_rate)


def model_fn(
    features: tf.Tensor, labels: tf.Tensor | None, mode: str, params: dict[str, Any]
) -> tf_estimator.EstimatorSpec:
    """Returns the spec for one mode. `params` has "learning_rate"."""
    logits = build_model(features, mode == tf_estimator.ModeKeys.TRAIN)
    if mode == tf_estimator.ModeKeys.PREDICT:
        outputs = {"serving_default": tf_estimator.export.PredictOutput({"logits": logits})}
        return tf_estimator.EstimatorSpec(
            mode, predictions={"logits": logits}, export_outputs=outputs
        )
    loss = make_loss(labels, logits)
    if mode == tf_estimator.ModeKeys.EVAL:
        return tf_estimator.EstimatorSpec(
            mode, loss=loss, eval_metric_ops=make_metrics(labels, logits)
        )
    step = tf.train.get_or_create_global_step()
    optimizer = make_optimizer(make_learning_rate(params["learning_rate"], step))
    return tf_estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, global_step=step)
    )


def serving_input_receiver_fn() -> tf_estimator.export.TensorServingInputReceiver:
    """Returns the input of the exported model: images (batch, 28, 28) float32."""
    images = tf.placeholder(tf.float32, [None, 28, 28], name="images")
    return tf_estimator.export.TensorServingInputReceiver(images, {"images": images})
