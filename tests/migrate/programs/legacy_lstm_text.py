"""An LSTM over words of padded batches: dynamic_rnn, Adam, a staircase of rates, clipping."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

params = {
    "vocab_size": 50,
    "embedding_size": 12,
    "num_units": 16,
    "learning_rate": 0.01,
    "decay_steps": 2,
    "decay_rate": 0.95,
    "clip_norm": 0.5,
    "keep_prob": 0.8,
}

BATCH_SIZE = 16


def make_data(count, seed):
    """Word ids from 1, 0 after the end; the class is which third of the words is there most."""
    random = np.random.RandomState(seed)
    labels = random.randint(3, size=count)
    lengths = random.randint(3, 13, size=count)
    tokens = random.randint(1, 50, size=(count, 12))
    typical = random.randint(1, 17, size=(count, 12)) + 16 * labels[:, np.newaxis]
    tokens = np.where(random.uniform(size=(count, 12)) < 0.6, typical, tokens)
    return tokens.astype(np.int64), lengths.astype(np.int32), labels.astype(np.int64)


def make_dataset(count, seed):
    dataset = tf.data.Dataset.from_tensor_slices(make_data(count, seed))
    dataset = dataset.map(
        lambda tokens, length, label: ({"tokens": tokens[:length], "length": length}, label)
    )
    return dataset.padded_batch(BATCH_SIZE, ({"tokens": [None], "length": []}, []))


def input_fn():
    return make_dataset(256, seed=1).repeat()


def eval_input_fn():
    return make_dataset(40, seed=2)


def network(features, params, training):
    with tf.variable_scope("embed"):
        embeddings = tf.get_variable(
            "embeddings",
            [params["vocab_size"], params["embedding_size"]],
            initializer=tf.random_uniform_initializer(-0.5, 0.5),
        )
        inputs = tf.nn.embedding_lookup(embeddings, features["tokens"])
    cell = tf.nn.rnn_cell.LSTMCell(params["num_units"], forget_bias=1.0)
    _, state = tf.nn.dynamic_rnn(cell, inputs, sequence_length=features["length"], dtype=tf.float32)
    net = state.h
    if training and params["keep_prob"] < 1.0:
        net = tf.nn.dropout(net, keep_prob=params["keep_prob"])
    return tf.layers.dense(net, 3, name="softmax_linear")


def model_fn(features, labels, mode, params):
    logits = network(features, params, mode == tf_estimator.ModeKeys.TRAIN)
    predicted = tf.argmax(logits, axis=1)
    if mode == tf_estimator.ModeKeys.PREDICT:
        predictions = {"class": predicted, "prob": tf.nn.softmax(logits)}
        return tf_estimator.EstimatorSpec(
            mode,
            predictions=predictions,
            export_outputs={"serving_default": tf_estimator.export.PredictOutput(predictions)},
        )

    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    tf.summary.scalar("cross_entropy", loss)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {
            "accuracy": tf.metrics.accuracy(labels, predicted),
            "recall_at_2": tf.metrics.mean(
                tf.cast(tf.math.in_top_k(targets=labels, predictions=logits, k=2), tf.float32)
            ),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

    global_step = tf.train.get_global_step()
    learning_rate = tf.train.exponential_decay(
        params["learning_rate"],
        global_step,
        params["decay_steps"],
        params["decay_rate"],
        staircase=True,
    )
    optimizer = tf.train.AdamOptimizer(learning_rate)
    gradients, variables = zip(*optimizer.compute_gradients(loss))  # noqa: B905
    gradients, _ = tf.clip_by_global_norm(gradients, params["clip_norm"])
    train_op = optimizer.apply_gradients(
        zip(gradients, variables),  # noqa: B905
        global_step=global_step,
    )
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn():
    features = {
        "tokens": tf.placeholder(tf.int64, [None, None], name="tokens"),
        "length": tf.placeholder(tf.int32, [None], name="length"),
    }
    return tf_estimator.export.ServingInputReceiver(features, features)
