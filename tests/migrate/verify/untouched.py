"""An unmodified program of TensorFlow 1, with its port in separate functions."""

import numpy as np
import tensorflow as tf

params = {"learning_rate": 0.01}


def input_fn():
    random = np.random.RandomState(1)
    data = {"x": random.rand(32, 4).astype("float32")}, random.randint(0, 3, 32)
    return tf.data.Dataset.from_tensor_slices(data).batch(8)


def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], 8, activation=tf.nn.relu, name="hidden")
    assert net.shape[1].value == 8
    logits = tf.contrib.layers.fully_connected(net, 3, activation_fn=None, scope="logits")
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        accuracy = tf.metrics.accuracy(labels, tf.argmax(logits, 1))
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": accuracy})
    optimizer = tf.train.AdamOptimizer(params["learning_rate"])
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def build_model():
    import tf_keras

    x = tf_keras.Input((4,), name="x")
    hidden = tf_keras.layers.Dense(8, "relu", name="hidden")(x)
    model = tf_keras.Model({"x": x}, tf_keras.layers.Dense(3, name="logits")(hidden))
    loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf_keras.optimizers.Adam(0.01, epsilon=1e-8), loss, ["accuracy"])
    return model
