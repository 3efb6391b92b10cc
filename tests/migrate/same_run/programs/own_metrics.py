"""Metrics written by hand: local variables, update operations, one made of two others."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(10)
X = random.randn(70, 3).astype(np.float32)
Y = (X[:, 0] > 0.2).astype(np.float32)


def streaming_max(values, name):
    with tf.variable_scope(name):
        top = tf.get_variable(
            "top", [], initializer=tf.constant_initializer(-1e9), trainable=False,
            collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES])
        update = tf.assign(top, tf.maximum(top, tf.reduce_max(values)))
        return tf.identity(top), update


def f1(labels, predictions):
    precision, precision_op = tf.metrics.precision(labels, predictions)
    recall, recall_op = tf.metrics.recall(labels, predictions)
    value = 2 * precision * recall / tf.maximum(precision + recall, 1e-7)
    return value, tf.group(precision_op, recall_op)


def confusion(labels, predictions):
    total = tf.Variable(
        tf.zeros([2, 2], tf.int32), trainable=False, name="confusion",
        collections=[tf.GraphKeys.LOCAL_VARIABLES])
    update = tf.assign_add(
        total, tf.confusion_matrix(labels, predictions, num_classes=2, dtype=tf.int32))
    return tf.convert_to_tensor(total), update


def model_fn(features, labels, mode, params):
    hidden = tf.layers.dense(features, 4, tf.nn.relu)
    logit = tf.squeeze(tf.layers.dense(hidden, 1), 1)
    probability = tf.sigmoid(logit)
    loss = tf.reduce_sum(
        tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logit))
    guess = tf.cast(tf.greater(probability, params.threshold), tf.float32)
    if mode == tf.estimator.ModeKeys.EVAL:
        rate, rate_op = tf.metrics.mean(tf.constant(params.learning_rate))
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={
            "f1": f1(labels, guess),
            "max_probability": streaming_max(probability, "maximum"),
            "confusion": confusion(labels, guess),
            "rate": (rate, rate_op),
            "constant": (tf.constant(2.5), tf.no_op()),
        })
    train_op = tf.train.AdamOptimizer(params.learning_rate).minimize(
        loss, global_step=tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(epochs):
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat(epochs).batch(16)


hparams = tf.contrib.training.HParams(learning_rate=0.02, threshold=0.5)
estimator = tf.estimator.Estimator(
    model_fn, model_dir="own_metrics", params=hparams,
    config=tf.estimator.RunConfig(tf_random_seed=12))
for _ in range(2):
    estimator.train(lambda: input_fn(2))
    print(estimator.evaluate(lambda: input_fn(1)))
