"""One model under several optimizers, each with arguments of its own and a function of its own."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(54)
X = random.randn(60, 3).astype(np.float32)
Y = (X[:, :1] - 2.0 * X[:, 1:2]).astype(np.float32)


def nesterov_fn(features, labels, mode):
    out = tf.layers.dense(tf.layers.dense(features["x"], 4, tf.nn.tanh), 1)
    loss = tf.losses.mean_squared_error(labels, out)
    rate = tf.train.exponential_decay(0.05, tf.train.get_global_step(), 4, 0.5, staircase=True)
    optimizer = tf.train.MomentumOptimizer(rate, 0.9, use_nesterov=True)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def rmsprop_fn(features, labels, mode):
    out = tf.layers.dense(tf.layers.dense(features["x"], 4, tf.nn.tanh), 1)
    loss = tf.losses.mean_squared_error(labels, out)
    optimizer = tf.train.RMSPropOptimizer(0.01, decay=0.95, momentum=0.5, epsilon=1e-4)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def adagrad_fn(features, labels, mode):
    out = tf.layers.dense(tf.layers.dense(features["x"], 4, tf.nn.tanh), 1)
    loss = tf.losses.mean_squared_error(labels, out)
    optimizer = tf.train.AdagradOptimizer(0.2, initial_accumulator_value=0.3)
    grads, variables = zip(*optimizer.compute_gradients(loss))
    grads, _ = tf.clip_by_global_norm(grads, 0.7)
    train_op = optimizer.apply_gradients(
        zip(grads, variables), global_step=tf.train.get_global_step()
    )
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def ftrl_fn(features, labels, mode):
    out = tf.layers.dense(tf.layers.dense(features["x"], 4, tf.nn.tanh), 1)
    loss = tf.losses.mean_squared_error(labels, out)
    optimizer = tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.001, l2_regularization_strength=0.01
    )
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(repeat=None):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(repeat).batch(12)


nesterov = tf.estimator.Estimator(
    nesterov_fn, "nesterov", config=tf.estimator.RunConfig(tf_random_seed=1)
)
nesterov.train(input_fn, steps=12)
print(nesterov.evaluate(lambda: input_fn(1)))

rmsprop = tf.estimator.Estimator(
    rmsprop_fn, "rmsprop", config=tf.estimator.RunConfig(tf_random_seed=1)
)
rmsprop.train(input_fn, steps=12)
print(rmsprop.evaluate(lambda: input_fn(1)))

adagrad = tf.estimator.Estimator(
    adagrad_fn, "adagrad", config=tf.estimator.RunConfig(tf_random_seed=1)
)
adagrad.train(input_fn, steps=12)
print(adagrad.evaluate(lambda: input_fn(1)))

ftrl = tf.estimator.Estimator(ftrl_fn, "ftrl", config=tf.estimator.RunConfig(tf_random_seed=1))
ftrl.train(input_fn, steps=12)
print(ftrl.evaluate(lambda: input_fn(1)))
