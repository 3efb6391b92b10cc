"""tf.losses with weights, a regularizer that is added, batch normalization with its updates."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(55)
X = (1.0 + 2.0 * random.randn(64, 5)).astype(np.float32)
Y = (X[:, :1] > X[:, 1:2]).astype(np.float32)
W = random.choice([0.0, 1.0, 2.0], (64, 1)).astype(np.float32)


def model_fn(features, labels, mode):
    training = mode == tf.estimator.ModeKeys.TRAIN
    net = tf.layers.dense(
        features["x"], 6, kernel_regularizer=tf.contrib.layers.l2_regularizer(0.01)
    )
    net = tf.layers.batch_normalization(net, training=training, momentum=0.8)
    net = tf.nn.relu(net)
    logits = tf.layers.dense(net, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"p": tf.sigmoid(logits)})
    loss = tf.losses.sigmoid_cross_entropy(labels, logits, weights=features["w"])
    loss += tf.losses.get_regularization_loss()
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(
            mode,
            loss=loss,
            eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, tf.round(tf.sigmoid(logits)))},
        )
    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(update_ops):
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X, "w": W}, Y)).batch(10)


estimator = tf.estimator.Estimator(
    model_fn, "plain_losses", tf.estimator.RunConfig(tf_random_seed=56)
)
estimator.train(lambda: input_fn().repeat(2))
print(estimator.evaluate(input_fn))
print([float(p["p"][0]) for p in estimator.predict(input_fn)][:2])
