"""A single Dense(1), as a model_fn. Read it next to `modern/jobs/linear_regression.py`.

python -m legacy.train --flagfile=legacy/jobs/linear_regression.flags
"""

from __future__ import annotations

from typing import Any

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

# Input functions carry over unchanged, in both directions.
from modern.jobs.linear_regression import (  # noqa: F401
    BATCH_SIZE,
    DATASETS,
    LEARNING_RATE,
    eval_input_fn,
    load_data,
    train_input_fn,
)


def build_model(features: tf.Tensor, training: bool) -> tf.Tensor:
    """Returns predictions (batch, 1) for features (batch, 10) float32."""
    del training  # no layer behaves differently
    return tf.layers.dense(features, 1, name="linear")


def make_loss(labels: tf.Tensor, predictions: tf.Tensor) -> tf.Tensor:
    """Returns the mean squared error."""
    return tf.losses.mean_squared_error(labels, predictions)


def make_metrics(labels: tf.Tensor, predictions: tf.Tensor) -> dict[str, Any]:
    """Returns no metrics. Evaluation reports the loss alone."""
    del labels, predictions
    return {}


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
    predictions = build_model(features, mode == tf_estimator.ModeKeys.TRAIN)
    if mode == tf_estimator.ModeKeys.PREDICT:
        outputs = {"predictions": predictions}
        return tf_estimator.EstimatorSpec(
            mode,
            predictions=outputs,
            export_outputs={"serving_default": tf_estimator.export.PredictOutput(outputs)},
        )
    loss = make_loss(labels, predictions)
    if mode == tf_estimator.ModeKeys.EVAL:
        return tf_estimator.EstimatorSpec(
            mode, loss=loss, eval_metric_ops=make_metrics(labels, predictions)
        )
    step = tf.train.get_or_create_global_step()
    optimizer = make_optimizer(make_learning_rate(params["learning_rate"], step))
    return tf_estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, global_step=step)
    )


def serving_input_receiver_fn() -> tf_estimator.export.TensorServingInputReceiver:
    """Returns the input of the exported model: features (batch, 10) float32."""
    features = tf.placeholder(tf.float32, [None, 10], name="features")
    return tf_estimator.export.TensorServingInputReceiver(features, {"features": features})
