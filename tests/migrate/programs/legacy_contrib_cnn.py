"""A convolutional network of tf.contrib.layers, trained by optimize_loss."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import contrib
from legacy import estimator as tf_estimator

layers = contrib.layers

params = {
    "learning_rate": 0.02,
    "decay_steps": 3,
    "decay_rate": 0.9,
    "weight_decay": 1e-3,
    "clip_gradients": 1.0,
    "keep_prob": 0.75,
}

BATCH_SIZE = 16


def make_data(count, seed):
    """Noise with a bright square in one of four corners, which is the class."""
    random = np.random.RandomState(seed)
    images = random.normal(size=(count, 10, 10)).astype(np.float32)
    labels = random.randint(4, size=count).astype(np.int32)
    for image, label in zip(images, labels):  # noqa: B905
        row, column = 5 * (label // 2), 5 * (label % 2)
        image[row : row + 5, column : column + 5] += 1.0
    return {"x": images}, labels


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(256, seed=1)).batch(BATCH_SIZE).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(40, seed=2)).batch(BATCH_SIZE)


def arg_scope(params, is_training):
    with contrib.framework.arg_scope(
        [layers.conv2d, layers.fully_connected],
        weights_regularizer=layers.l2_regularizer(params["weight_decay"]),
        weights_initializer=layers.xavier_initializer(),
        normalizer_fn=layers.batch_norm,
        normalizer_params={"is_training": is_training, "decay": 0.9, "epsilon": 0.001},
    ) as scope:
        return scope


def network(images, params, is_training):
    with contrib.framework.arg_scope(arg_scope(params, is_training)):
        net = tf.expand_dims(images, -1)
        net = layers.conv2d(net, 8, [3, 3], scope="conv1")
        net = layers.max_pool2d(net, [2, 2], scope="pool1")
        net = layers.conv2d(net, 8, [3, 3], scope="conv2")
        net = layers.flatten(net)
        net = layers.fully_connected(net, 16, scope="fc3")
        net = layers.dropout(net, params["keep_prob"], is_training=is_training, scope="dropout3")
        return layers.fully_connected(
            net, 4, activation_fn=None, normalizer_fn=None, scope="logits"
        )


def model_fn(features, labels, mode, params):
    logits = network(features["x"], params, mode == tf_estimator.ModeKeys.TRAIN)
    predictions = {"classes": tf.argmax(logits, 1), "scores": logits}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(
            mode,
            predictions=predictions,
            export_outputs={"serving_default": tf_estimator.export.PredictOutput(predictions)},
        )

    tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss = tf.losses.get_total_loss()
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {
            "accuracy": tf.metrics.accuracy(labels, predictions["classes"]),
            "mean_scores": tf.metrics.mean(predictions["scores"]),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

    def decay(learning_rate, global_step):
        return tf.train.exponential_decay(
            learning_rate, global_step, params["decay_steps"], params["decay_rate"]
        )

    train_op = layers.optimize_loss(
        loss,
        tf.train.get_global_step(),
        params["learning_rate"],
        lambda rate: tf.train.RMSPropOptimizer(rate, decay=0.9, momentum=0.5, epsilon=0.1),
        clip_gradients=params["clip_gradients"],
        learning_rate_decay_fn=decay,
    )
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn():
    features = {"x": tf.placeholder(tf.float32, [None, 10, 10], name="x")}
    return tf_estimator.export.ServingInputReceiver(features, features)
