"""Dropout without a seed, of which tf_random_seed makes a repeatable run."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(7)
X = random.randn(50, 6).astype(np.float32)
Y = (X[:, :1] * 2.0 - X[:, 1:2]).astype(np.float32)


def model_fn(features, labels, mode):
    net = tf.layers.dense(features["x"], 12, activation=tf.nn.tanh)
    net = tf.layers.dropout(net, rate=0.3, training=mode == tf.estimator.ModeKeys.TRAIN)
    net = tf.nn.dropout(net, keep_prob=0.9 if mode == tf.estimator.ModeKeys.TRAIN else 1.0)
    out = tf.layers.dense(net, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={
            "rmse": tf.metrics.root_mean_squared_error(labels, out)})
    train_op = tf.train.RMSPropOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).batch(10)


estimator = tf.estimator.Estimator(
    model_fn, "dropout_model", tf.estimator.RunConfig(tf_random_seed=17))
estimator.train(lambda: input_fn().repeat(3))
print(estimator.evaluate(input_fn))
print(len(list(estimator.predict(input_fn))))
