"""A small ResNet in the manner of TensorFlow's official models: momentum, a stepped rate, decay."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

params = {
    "boundaries": [2, 40],
    "learning_rates": [0.02, 0.1, 0.01],
    "weight_decay": 2e-3,
    "blocks": 3,
    "filters": 16,
}

BATCH_SIZE = 16
_BATCH_NORM_DECAY = 0.9
_BATCH_NORM_EPSILON = 1e-5


def make_data(count, seed):
    """Noisy stripes in one of four directions, which is the class."""
    random = np.random.RandomState(seed)
    images = random.normal(size=(count, 12, 12, 3)).astype(np.float32)
    labels = random.randint(4, size=count).astype(np.int32)
    rows, columns = np.mgrid[:12, :12]
    stripes = np.stack([rows, columns, rows + columns, rows - columns]) % 3 - 1
    return images + stripes[labels][..., np.newaxis].astype(np.float32), labels


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(256, seed=1)).batch(BATCH_SIZE).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(40, seed=2)).batch(BATCH_SIZE)


def batch_norm_relu(inputs, is_training, relu=True):
    inputs = tf.layers.batch_normalization(
        inputs=inputs,
        axis=3,
        momentum=_BATCH_NORM_DECAY,
        epsilon=_BATCH_NORM_EPSILON,
        center=True,
        scale=True,
        training=is_training,
        fused=True,
    )
    return tf.nn.relu(inputs) if relu else inputs


def conv2d(inputs, filters, kernel_size, strides):
    return tf.layers.conv2d(
        inputs=inputs,
        filters=filters,
        kernel_size=kernel_size,
        strides=strides,
        padding="same",
        use_bias=False,
        kernel_initializer=tf.variance_scaling_initializer(),
    )


def building_block(inputs, filters, strides, is_training):
    shortcut = inputs
    if strides > 1:
        shortcut = conv2d(inputs, filters, 1, strides)
        shortcut = batch_norm_relu(shortcut, is_training, relu=False)
    net = conv2d(inputs, filters, 3, strides)
    net = batch_norm_relu(net, is_training)
    net = conv2d(net, filters, 3, 1)
    net = batch_norm_relu(net, is_training, relu=False)
    return tf.nn.relu(net + shortcut)


def network(images, params, is_training):
    net = conv2d(images, params["filters"], 3, 1)
    net = batch_norm_relu(net, is_training)
    for block in range(params["blocks"]):
        net = building_block(net, params["filters"], 2 if block == 1 else 1, is_training)
    net = tf.reduce_mean(net, [1, 2])
    return tf.layers.dense(net, 4)


def model_fn(features, labels, mode, params):
    logits = network(features, params, mode == tf_estimator.ModeKeys.TRAIN)
    predictions = {
        "classes": tf.argmax(logits, axis=1),
        "probabilities": tf.nn.softmax(logits, name="softmax_tensor"),
    }
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(
            mode=mode,
            predictions=predictions,
            export_outputs={"predict": tf_estimator.export.PredictOutput(predictions)},
        )

    cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    # Everything decays that is not batch norm's, the last layer's bias as well.
    loss = cross_entropy + params["weight_decay"] * tf.add_n(
        [tf.nn.l2_loss(v) for v in tf.trainable_variables() if "batch_normalization" not in v.name]
    )

    train_op = None
    if mode == tf_estimator.ModeKeys.TRAIN:
        global_step = tf.train.get_or_create_global_step()
        learning_rate = tf.train.piecewise_constant(
            global_step, params["boundaries"], params["learning_rates"]
        )
        optimizer = tf.train.MomentumOptimizer(learning_rate=learning_rate, momentum=0.9)
        update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        with tf.control_dependencies(update_ops):
            train_op = optimizer.minimize(loss, global_step)

    metrics = {"accuracy": tf.metrics.accuracy(labels, predictions["classes"])}
    return tf_estimator.EstimatorSpec(
        mode=mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics
    )


def serving_input_receiver_fn():
    images = tf.placeholder(tf.float32, [None, 12, 12, 3], name="images")
    return tf_estimator.export.TensorServingInputReceiver(images, images)
