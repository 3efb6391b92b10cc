"""An LSTM over padded sequences with an embedding, of 2017."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(33)
LENGTHS = random.randint(2, 7, 40)
WORDS = np.array([np.pad(random.randint(1, 20, n), (0, 7 - n), "constant") for n in LENGTHS])
LABELS = (WORDS[:, 0] > 10).astype(np.int64)


def model_fn(features, labels, mode, params):
    embeddings = tf.get_variable(
        "embeddings", [params["vocabulary"], params["dimension"]],
        initializer=tf.random_uniform_initializer(-1.0, 1.0))
    inputs = tf.nn.embedding_lookup(embeddings, features["words"])
    cell = tf.nn.rnn_cell.LSTMCell(params["units"])
    outputs, state = tf.nn.dynamic_rnn(
        cell, inputs, sequence_length=features["length"], dtype=tf.float32)
    mask = tf.sequence_mask(features["length"], 7, dtype=tf.float32)
    pooled = tf.reduce_sum(outputs * mask[:, :, tf.newaxis], axis=1)
    logits = tf.layers.dense(tf.concat([pooled, state.h], axis=1), 2)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits))
    optimizer = tf.train.AdamOptimizer(params["rate"])
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
    train_op = optimizer.apply_gradients(zip(gradients, variables), tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, predictions={"class": tf.argmax(logits, 1)}, loss=loss, train_op=train_op,
        eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})


def input_fn():
    features = {"words": WORDS, "length": LENGTHS}
    return tf.data.Dataset.from_tensor_slices((features, LABELS)).batch(10)


estimator = tf.estimator.Estimator(
    model_fn, "lstm", tf.estimator.RunConfig(tf_random_seed=34),
    params={"vocabulary": 20, "dimension": 4, "units": 5, "rate": 0.02})
estimator.train(lambda: input_fn().repeat(), steps=12)
print(estimator.evaluate(input_fn))
