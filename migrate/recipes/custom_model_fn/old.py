"""Implements a model_fn for its three modes, with a weight penalty and gradient clipping."""

import tempfile

import numpy as np
import tensorflow as tf

BATCH_SIZE, STEPS, LEARNING_RATE, PENALTY = 16, 20, 0.01, 1e-3
LARGEST_NORM = 0.1  # less than the global norm, so that clipping has an effect
KERNEL = tf.constant_initializer(np.linspace(-0.5, 0.5, 32).reshape(4, 8))
LOGITS = tf.constant_initializer(np.linspace(-0.5, 0.5, 24).reshape(8, 3))


def make_data():
    random = np.random.RandomState(0)
    features = random.normal(size=(80, 4)).astype(np.float32)
    return features, features[:, :3].argmax(axis=1)


def train_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(BATCH_SIZE)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(32)


def model_fn(features, labels, mode, params):
    penalty = tf.contrib.layers.l2_regularizer(PENALTY)
    net = tf.layers.dense(
        features, 8, tf.nn.relu, kernel_initializer=KERNEL, kernel_regularizer=penalty
    )
    logits = tf.layers.dense(net, 3, kernel_initializer=LOGITS, name="logits")
    classes = tf.argmax(logits, axis=1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        predictions = {"classes": classes, "probabilities": tf.nn.softmax(logits)}
        return tf.estimator.EstimatorSpec(mode, predictions=predictions)
    cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss = cross_entropy + tf.losses.get_regularization_loss()
    if mode == tf.estimator.ModeKeys.EVAL:
        metrics = {"accuracy": tf.metrics.accuracy(labels, classes)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf.train.AdamOptimizer(params["learning_rate"])
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    gradients, _ = tf.clip_by_global_norm(gradients, LARGEST_NORM)
    train_op = optimizer.apply_gradients(
        zip(gradients, variables), global_step=tf.train.get_global_step()
    )
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    estimator = tf.estimator.Estimator(model_fn, folder, params={"learning_rate": LEARNING_RATE})
    estimator.train(train_input_fn, max_steps=STEPS)
    metrics = estimator.evaluate(eval_input_fn)
    predictions = list(estimator.predict(eval_input_fn))
    return {
        "accuracy": float(metrics["accuracy"]),
        # An Estimator reports the mean of the batches' losses. Here the batches have 32, 32 and 16
        # examples.
        "loss": float(metrics["loss"]),
        "global_step": int(metrics["global_step"]),
        "classes": [int(p["classes"]) for p in predictions],
        "first_probabilities": predictions[0]["probabilities"].tolist(),
        "kernel_sum": float(np.abs(estimator.get_variable_value("dense/kernel")).sum()),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
