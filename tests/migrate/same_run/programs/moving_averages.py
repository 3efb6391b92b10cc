"""Trains a model that also predicts with moving averages of its variables, through a getter."""

import numpy as np
import tensorflow as tf


def ema_getter(ema):
    def _ema_getter(getter, name, *args, **kwargs):
        variable = getter(name, *args, **kwargs)
        average = ema.average(variable)
        return average if average else variable

    return _ema_getter


def graph_fn(features, reuse=None, getter=None):
    with tf.variable_scope("graph", reuse=reuse, custom_getter=getter):
        w = tf.get_variable("w", [4, 2], initializer=tf.glorot_uniform_initializer(seed=1))
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
        return tf.matmul(features, w) + b


def model_fn(features, labels, mode, params):
    logits = graph_fn(features)
    variables = tf.get_collection("trainable_variables", "graph")
    ema = tf.train.ExponentialMovingAverage(0.9)
    ema_op = ema.apply(variables)
    averaged = graph_fn(features, reuse=True, getter=ema_getter(ema))
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"logits": logits, "averaged": averaged})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(averaged, -1))}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf.train.AdamOptimizer()
    with tf.control_dependencies([ema_op]):
        train_op = optimizer.minimize(loss, tf.train.get_global_step(), var_list=variables)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    x = np.random.RandomState(0).randn(64, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, (x[:, 0] > 0).astype("int32"))).batch(16)


if __name__ == "__main__":
    estimator = tf.estimator.Estimator(model_fn, "model", params={})
    estimator.train(input_fn, steps=4)  # All data: no step finds their end.
    estimator.evaluate(input_fn)
    list(estimator.predict(input_fn))
