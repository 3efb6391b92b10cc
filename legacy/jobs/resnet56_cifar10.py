"""ResNet-56 for 32x32 images, as a model_fn. Read it next to `modern/jobs/resnet56_cifar10.py`.

python -m legacy.train --flagfile=legacy/jobs/resnet56_cifar10.flags
"""

from __future__ import annotations

from typing import Any

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

# Input functions carry over unchanged, in both directions.
from modern.jobs.resnet56_cifar10 import (  # noqa: F401
    BATCH_NORM_EPSILON,
    BATCH_NORM_MOMENTUM,
    BATCH_SIZE,
    BLOCKS_PER_STAGE,
    DATASETS,
    DECAY_STEPS,
    FILTERS,
    LEARNING_RATE,
    MOMENTUM,
    WEIGHT_DECAY,
    eval_input_fn,
    load_data,
    train_input_fn,
)


def _weight_decay(kernel: tf.Tensor) -> tf.Tensor:
    return WEIGHT_DECAY * tf.nn.l2_loss(kernel)


def _conv(x: tf.Tensor, filters: int, strides: int, name: str) -> tf.Tensor:
    return tf.layers.conv2d(
        x,
        filters,
        3,
        strides,
        padding="same",
        use_bias=False,
        kernel_initializer=tf.initializers.he_normal(),
        kernel_regularizer=_weight_decay,
        name=name,
    )


def _batch_norm(x: tf.Tensor, training: bool, name: str) -> tf.Tensor:
    return tf.layers.batch_normalization(
        x,
        momentum=BATCH_NORM_MOMENTUM,
        epsilon=BATCH_NORM_EPSILON,
        training=training,
        name=name,
    )


def _shortcut(x: tf.Tensor, filters: int, strides: int) -> tf.Tensor:
    missing = filters - x.shape[-1]
    if not missing:
        return x
    return tf.pad(x[:, ::strides, ::strides], [[0, 0], [0, 0], [0, 0], [0, missing]])


def _block(x: tf.Tensor, filters: int, strides: int, training: bool, name: str) -> tf.Tensor:
    shortcut = _shortcut(x, filters, strides)
    x = _conv(x, filters, strides, f"{name}_conv1")
    x = tf.nn.relu(_batch_norm(x, training, f"{name}_bn1"))
    x = _conv(x, filters, 1, f"{name}_conv2")
    x = _batch_norm(x, training, f"{name}_bn2")
    return tf.nn.relu(x + shortcut)


def build_model(images: tf.Tensor, training: bool) -> tf.Tensor:
    """Returns logits (batch, 10) for images (batch, 32, 32, 3) float32."""
    x = _conv(images, FILTERS[0], 1, "first_conv")
    x = tf.nn.relu(_batch_norm(x, training, "first_bn"))
    for stage, filters in enumerate(FILTERS):
        for block in range(BLOCKS_PER_STAGE):
            strides = 2 if stage > 0 and block == 0 else 1
            x = _block(x, filters, strides, training, f"stage{stage + 1}_block{block + 1}")
    x = tf.reduce_mean(x, axis=[1, 2])
    return tf.layers.dense(
        x,
        10,
        kernel_initializer=tf.initializers.he_normal(),
        kernel_regularizer=_weight_decay,
        name="logits",
    )


def make_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    """Returns the sparse categorical cross-entropy averaged over the batch, plus weight decay."""
    return (
        tf.losses.sparse_softmax_cross_entropy(labels, logits) + tf.losses.get_regularization_loss()
    )


def make_metrics(labels: tf.Tensor, logits: tf.Tensor) -> dict[str, Any]:
    """Returns the metrics that evaluation reports in addition to the loss."""
    return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))}


def make_learning_rate(base: float, global_step: tf.Tensor) -> tf.Tensor:
    """Returns the paper's rates: `base`, a tenth after 32,000 steps, a hundredth after 48,000."""
    return tf.train.piecewise_constant(
        global_step, list(DECAY_STEPS), [base, base / 10, base / 100]
    )


def make_optimizer(learning_rate: float | tf.Tensor) -> tf.train.Optimizer:
    """Returns SGD with momentum 0.9."""
    return tf.train.MomentumOptimizer(learning_rate, MOMENTUM)


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
    # Separate ops update the moving averages of batch normalization. Omitting them was a classic
    # bug.
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = optimizer.minimize(loss, global_step=step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn() -> tf_estimator.export.TensorServingInputReceiver:
    """Returns the input of the exported model: images (batch, 32, 32, 3) float32."""
    images = tf.placeholder(tf.float32, [None, 32, 32, 3], name="images")
    return tf_estimator.export.TensorServingInputReceiver(images, {"images": images})
