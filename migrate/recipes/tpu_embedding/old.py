"""TPUEstimator with embeddings, which runs on a CPU with use_tpu=False."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, BATCH_SIZE, WORDS, DIMENSION, LEARNING_RATE = 10, 8, 12, 2, 0.5
TABLE = np.linspace(-1, 1, WORDS * DIMENSION).reshape(WORDS, DIMENSION).astype(np.float32)


def make_data():
    """Returns pairs of words, with label 1 if the sum of their numbers is large."""
    words = np.random.RandomState(0).randint(0, WORDS, [32, 2])
    return words, (words.sum(axis=1, keepdims=True) > WORDS).astype(np.float32)


def input_fn(params):
    words, labels = make_data()
    dataset = tf.data.Dataset.from_tensor_slices(({"words": words}, labels))
    return dataset.repeat().batch(params["batch_size"], drop_remainder=True)


def model_fn(features, labels, mode, params):
    column = tf.feature_column
    words = column.categorical_column_with_identity("words", WORDS)
    embedding = column.embedding_column(
        words, DIMENSION, combiner="mean", initializer=tf.constant_initializer(TABLE)
    )
    net = tf.feature_column.input_layer(features, [embedding])
    logits = tf.layers.dense(net, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    optimizer = tf.train.AdagradOptimizer(LEARNING_RATE)
    if params["use_tpu"]:
        optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    estimator = tf.contrib.tpu.TPUEstimator(
        model_fn,
        config=tf.contrib.tpu.RunConfig(model_dir=folder),
        params={"use_tpu": False},
        train_batch_size=BATCH_SIZE,  # of all cores. params["batch_size"] is that of one core
        use_tpu=False,
    )
    estimator.train(input_fn, max_steps=STEPS)
    name = "input_layer/words_embedding/embedding_weights"
    return {
        "table": estimator.get_variable_value(name).ravel().tolist(),
        "kernel": estimator.get_variable_value("dense/kernel").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
