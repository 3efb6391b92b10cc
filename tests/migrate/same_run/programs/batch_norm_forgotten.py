"""Batch normalization of which nobody runs the updates: a mistake that many programs made."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(23)
X = (1.0 + random.randn(40, 3)).astype(np.float32)
Y = X.sum(axis=1, keepdims=True)


def model_fn(features, labels, mode):
    net = tf.layers.batch_normalization(features, training=mode == tf.estimator.ModeKeys.TRAIN)
    out = tf.layers.dense(net, 1)
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(10)


estimator = tf.estimator.Estimator(
    model_fn, "forgotten", config=tf.estimator.RunConfig(tf_random_seed=24))
estimator.train(lambda: input_fn().repeat(3))
print(estimator.evaluate(input_fn))
