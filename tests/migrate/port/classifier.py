"""An old program whose parts `migrate port` compares. test_planted.py alters its port."""

import numpy as np
import tensorflow as tf

X = np.linspace(-1.0, 1.0, 48, dtype=np.float32).reshape(24, 2)
Y = (X[:, 0] * X[:, 1] > 0.2).astype(np.int64)


def model_fn(features, labels, mode):
    is_training = mode == tf.estimator.ModeKeys.TRAIN
    l2 = tf.keras.regularizers.l2(0.01)
    x = tf.layers.dense(features["x"], 8, tf.nn.relu, kernel_regularizer=l2)
    x = tf.layers.batch_normalization(x, training=is_training)
    x = tf.layers.dropout(x, 0.25, training=is_training)
    logits = tf.layers.dense(x, 2)
    probabilities = tf.nn.softmax(logits)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": probabilities})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss += tf.losses.get_regularization_loss()
    if mode == tf.estimator.ModeKeys.EVAL:
        mean = tf.reduce_mean(probabilities[:, 1])
        is_sure = tf.cast(probabilities[:, 1] > mean, tf.int64)
        metrics = {"accuracy": tf.metrics.accuracy(labels, is_sure)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf.train.AdamOptimizer(0.05, epsilon=1e-3)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def train_input_fn():
    dataset = tf.data.Dataset.from_tensor_slices(({"x": X[:16]}, Y[:16]))
    return dataset.shuffle(16).repeat(3).batch(4)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X[16:]}, Y[16:])).batch(4)


def serving_input_receiver_fn():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


estimator = tf.estimator.Estimator(model_fn, "model")
estimator.train(train_input_fn)
print(estimator.evaluate(eval_input_fn))
for prediction in estimator.predict(eval_input_fn):
    print(prediction)
estimator.export_savedmodel("export", serving_input_receiver_fn)
