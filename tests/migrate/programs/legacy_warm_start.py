"""A classifier that begins with a pretrained encoder, and is evaluated with averaged weights."""

import os

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import contrib
from legacy import estimator as tf_estimator

# "warm_start_from" is a checkpoint of `pretrain`, or None to begin at random.
params = {"warm_start_from": None, "learning_rate": 0.02, "ema_decay": 0.8, "hidden_units": 16}

BATCH_SIZE = 16
LENGTH = 8
WORDS = ["w" + str(i) for i in range(30)]


def make_data(count, seed):
    """Words (count, 8), some unknown; the class is whether more are from the first half."""
    random = np.random.RandomState(seed)
    ids = random.randint(len(WORDS) + 2, size=(count, LENGTH))
    labels = (np.sum(ids < 15, axis=1) > 3).astype(np.int64)
    return np.array(WORDS + ["unknown", "??"])[ids], labels


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(256, seed=1)).batch(BATCH_SIZE).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(40, seed=2)).batch(BATCH_SIZE)


def encode(words, hidden_units):
    table = contrib.lookup.index_table_from_tensor(["<unk>"] + WORDS, default_value=0)
    with tf.variable_scope("encoder"):
        embeddings = tf.get_variable("embeddings", [len(WORDS) + 1, 8])
        net = tf.nn.embedding_lookup(embeddings, table.lookup(words))
        return tf.layers.dense(
            tf.reduce_mean(net, axis=1), hidden_units, activation=tf.nn.relu, name="fc"
        )


def pretrain(folder):
    """Writes a checkpoint of an encoder, and returns its path."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        with tf.variable_scope("language_model"):
            encode(tf.constant([WORDS[:LENGTH]]), params["hidden_units"])
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, os.path.join(folder, "pretrained.ckpt"))


def local_init_op():
    return tf.group(tf.local_variables_initializer(), tf.tables_initializer())


def averaged_scaffold(ema):
    """Reads the averages, which are saved under names of their own, into the variables."""
    saver = tf.train.Saver(ema.variables_to_restore())
    return tf.train.Scaffold(saver=saver, local_init_op=local_init_op())


def model_fn(features, labels, mode, params):
    net = encode(features, params["hidden_units"])
    logits = tf.layers.dense(net, 2, name="logits")
    ema = tf.train.ExponentialMovingAverage(params["ema_decay"])
    predictions = {"classes": tf.argmax(logits, axis=1), "probabilities": tf.nn.softmax(logits)}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(
            mode,
            predictions=predictions,
            scaffold=averaged_scaffold(ema),
            export_outputs={"serving_default": tf_estimator.export.PredictOutput(predictions)},
        )

    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {"accuracy": tf.metrics.accuracy(labels, predictions["classes"])}
        return tf_estimator.EstimatorSpec(
            mode, loss=loss, eval_metric_ops=metrics, scaffold=averaged_scaffold(ema)
        )

    if params["warm_start_from"]:
        tf.train.init_from_checkpoint(
            params["warm_start_from"], {"language_model/encoder/": "encoder/"}
        )
    optimizer = tf.train.AdamOptimizer(params["learning_rate"])
    update = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    with tf.control_dependencies([update]):
        train_op = ema.apply(tf.trainable_variables())
    scaffold = tf.train.Scaffold(
        init_op=tf.global_variables_initializer(),
        local_init_op=local_init_op(),
        saver=tf.train.Saver(tf.global_variables(), sharded=True, max_to_keep=2),
    )
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, scaffold=scaffold)


def serving_input_receiver_fn():
    words = tf.placeholder(tf.string, [None, LENGTH], name="words")
    return tf_estimator.export.TensorServingInputReceiver(words, words)
