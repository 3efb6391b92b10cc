"""Batch normalization with UPDATE_OPS, and weights that are averaged."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(20)
X = (3.0 + 2.0 * random.randn(96, 5)).astype(np.float32)
Y = (X.mean(axis=1) > 3.0).astype(np.int64)


def model_fn(features, labels, mode):
    training = mode == tf.estimator.ModeKeys.TRAIN
    net = tf.layers.dense(features, 8, use_bias=False)
    net = tf.layers.batch_normalization(net, momentum=0.9, training=training)
    net = tf.nn.relu(net)
    net = tf.layers.batch_normalization(net, momentum=0.9, training=training, fused=False)
    logits = tf.layers.dense(net, 2)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=tf.nn.softmax(logits))
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={
            "accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})
    global_step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(1e-2)
    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(update_ops):
        train_op = optimizer.minimize(loss, global_step=global_step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(epochs=1):
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat(epochs).batch(24)


estimator = tf.estimator.Estimator(
    model_fn, model_dir="batch_norm", config=tf.estimator.RunConfig(tf_random_seed=22))
estimator.train(lambda: input_fn(4))
print(estimator.evaluate(input_fn))
print(sum(1 for _ in estimator.predict(input_fn)))
