"""tf.losses with weights and reductions, in training other than in evaluation."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(29)
X = random.randn(50, 3).astype(np.float32)
Y = np.abs(X[:, :1]).astype(np.float32)
W = random.choice([0.0, 1.0, 3.0], (50, 1)).astype(np.float32)


def model_fn(features, labels, mode):
    out = tf.layers.dense(features["x"], 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
    weights = features["weight"]
    huber = tf.losses.huber_loss(labels, out, weights=weights, delta=0.5)
    absolute = tf.losses.absolute_difference(
        labels, out, weights=weights, reduction=tf.losses.Reduction.SUM)
    mean = tf.losses.mean_squared_error(
        labels, out, weights=weights, reduction=tf.losses.Reduction.MEAN)
    logged = tf.losses.log_loss(
        tf.to_float(labels > 0.5), tf.sigmoid(out), weights=weights,
        reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE)
    loss = huber + 0.1 * absolute + mean + logged
    train_op = tf.train.GradientDescentOptimizer(0.02).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops={
        "huber": tf.metrics.mean(huber), "absolute": tf.metrics.mean(absolute)})


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X, "weight": W}, Y)).batch(8)


estimator = tf.estimator.Estimator(
    model_fn, "weighted", tf.estimator.RunConfig(tf_random_seed=30))
estimator.train(lambda: input_fn().repeat(2))
print(estimator.evaluate(input_fn))
