"""A dict of labels, two losses, two optimizers with variables of their own."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(37)
X = random.randn(45, 4).astype(np.float32)
AGE = X[:, :1] * 3.0
KIND = (X[:, 1] > 0).astype(np.int64)


def model_fn(features, labels, mode):
    with tf.variable_scope("age"):
        age = tf.layers.dense(tf.layers.dense(features["x"], 4, tf.nn.relu), 1)
    with tf.variable_scope("kind"):
        logits = tf.layers.dense(features["x"], 2)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"age": age, "kind": tf.argmax(logits, 1)})
    age_loss = tf.losses.mean_squared_error(labels["age"], age)
    kind_loss = tf.losses.sparse_softmax_cross_entropy(labels["kind"], logits)
    loss = age_loss + 0.5 * kind_loss
    metrics = {
        "age/mae": tf.metrics.mean_absolute_error(labels["age"], age),
        "kind/accuracy": tf.metrics.accuracy(labels["kind"], tf.argmax(logits, 1)),
    }
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    step = tf.train.get_global_step()
    age_op = tf.train.AdamOptimizer(0.02).minimize(
        age_loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "age"))
    kind_op = tf.train.GradientDescentOptimizer(0.1).minimize(
        kind_loss, step, tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "kind"))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.group(age_op, kind_op))


def input_fn():
    return tf.data.Dataset.from_tensor_slices(
        ({"x": X}, {"age": AGE, "kind": KIND})).batch(9)


estimator = tf.estimator.Estimator(
    model_fn, "two_losses", tf.estimator.RunConfig(tf_random_seed=38))
estimator.train(lambda: input_fn().repeat(3))
print(estimator.evaluate(input_fn))
