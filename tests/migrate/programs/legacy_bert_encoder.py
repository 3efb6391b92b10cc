"""A BERT-like classifier with an optimizer of its own, in `legacy_bert_optimization`."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import contrib
from legacy import estimator as tf_estimator
from tests.migrate.programs import legacy_bert_optimization as optimization

params = {
    "vocab_size": 100,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "dropout_prob": 0.1,
    "learning_rate": 2e-3,
    "num_train_steps": 100,
    "num_warmup_steps": 4,
}

BATCH_SIZE = 16
LENGTH = 16
POSITIONS = 24


def make_data(count, seed):
    """Sentence pairs; the class says which words the second sentence is made of."""
    random = np.random.RandomState(seed)
    labels = random.randint(2, size=count)
    ids = random.randint(10, 100, size=(count, LENGTH))
    ids[:, 0] = 1  # [CLS]
    ids[:, 8:] = random.randint(10, 65, size=(count, 8)) + 35 * labels[:, np.newaxis]
    positions = np.arange(LENGTH)
    mask = positions < random.randint(12, LENGTH + 1, size=(count, 1))
    features = {
        "input_ids": (ids * mask).astype(np.int32),
        "input_mask": mask.astype(np.int32),
        "segment_ids": (mask & (positions >= 8)).astype(np.int32),
    }
    return features, labels.astype(np.int32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(256, seed=1)).batch(BATCH_SIZE).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(40, seed=2)).batch(BATCH_SIZE)


def create_initializer():
    return tf.truncated_normal_initializer(stddev=0.1)


def gelu(x):
    return x * 0.5 * (1.0 + tf.erf(x / tf.sqrt(2.0)))


def layer_norm(x):
    return contrib.layers.layer_norm(x, begin_norm_axis=-1, begin_params_axis=-1, scope="LayerNorm")


def dropout(x, rate):
    return tf.nn.dropout(x, keep_prob=1.0 - rate) if rate else x


def dense(x, units, name, activation=None):
    return tf.layers.dense(
        x, units, activation=activation, name=name, kernel_initializer=create_initializer()
    )


def embed(features, params, rate):
    hidden = params["hidden_size"]
    with tf.variable_scope("embeddings"):
        words = tf.get_variable(
            "word_embeddings", [params["vocab_size"], hidden], initializer=create_initializer()
        )
        types = tf.get_variable(
            "token_type_embeddings", [2, hidden], initializer=create_initializer()
        )
        positions = tf.get_variable(
            "position_embeddings", [POSITIONS, hidden], initializer=create_initializer()
        )
        if params.get("use_one_hot_embeddings"):  # As on TPUs.
            one_hot = tf.one_hot(features["input_ids"], params["vocab_size"])
            x = tf.tensordot(one_hot, words, 1)
        else:
            x = tf.gather(words, features["input_ids"])
        # Two types are few: one-hot is faster than a lookup.
        x += tf.tensordot(tf.one_hot(features["segment_ids"], 2), types, 1)
        x += tf.slice(positions, [0, 0], [LENGTH, -1])
        return dropout(layer_norm(x), rate)


def split_heads(x, heads):
    x = tf.reshape(x, [-1, LENGTH, heads, x.shape[-1] // heads])
    return tf.transpose(x, [0, 2, 1, 3])


def self_attention(x, mask, params, rate):
    hidden, heads = params["hidden_size"], params["num_attention_heads"]
    with tf.variable_scope("self"):
        query = split_heads(dense(x, hidden, "query"), heads)
        key = split_heads(dense(x, hidden, "key"), heads)
        value = split_heads(dense(x, hidden, "value"), heads)
        scores = tf.matmul(query, key, transpose_b=True) / np.sqrt(hidden // heads)
        scores += (1.0 - tf.cast(mask[:, tf.newaxis, tf.newaxis], tf.float32)) * -10000.0
        context = tf.matmul(dropout(tf.nn.softmax(scores), rate), value)
        return tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [-1, LENGTH, hidden])


def encoder_layer(x, mask, params, rate):
    hidden = params["hidden_size"]
    with tf.variable_scope("attention"):
        context = self_attention(x, mask, params, rate)
        with tf.variable_scope("output"):
            x = layer_norm(x + dropout(dense(context, hidden, "dense"), rate))
    with tf.variable_scope("intermediate"):
        inner = dense(x, params["intermediate_size"], "dense", gelu)
    with tf.variable_scope("output"):
        return layer_norm(x + dropout(dense(inner, hidden, "dense"), rate))


def bert(features, params, rate):
    with tf.variable_scope("bert"):
        x = embed(features, params, rate)
        with tf.variable_scope("encoder"):
            for i in range(params["num_hidden_layers"]):
                with tf.variable_scope("layer_" + str(i)):
                    x = encoder_layer(x, features["input_mask"], params, rate)
        with tf.variable_scope("pooler"):
            return dense(x[:, 0], params["hidden_size"], "dense", tf.tanh)


def model_fn(features, labels, mode, params):
    training = mode == tf_estimator.ModeKeys.TRAIN
    rate = params["dropout_prob"] if training else 0.0
    pooled = dropout(bert(features, params, rate), rate)
    output_weights = tf.get_variable(
        "output_weights", [2, params["hidden_size"]], initializer=create_initializer()
    )
    output_bias = tf.get_variable("output_bias", [2], initializer=tf.zeros_initializer())
    logits = tf.nn.bias_add(tf.matmul(pooled, output_weights, transpose_b=True), output_bias)
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(
            mode, predictions={"probabilities": tf.nn.softmax(logits)}
        )

    log_probs = tf.nn.log_softmax(logits, axis=-1)
    per_example_loss = -tf.reduce_sum(tf.one_hot(labels, 2) * log_probs, axis=-1)
    loss = tf.reduce_mean(per_example_loss)
    if mode == tf_estimator.ModeKeys.EVAL:
        predictions = tf.argmax(logits, axis=-1, output_type=tf.int32)
        metrics = {
            "eval_accuracy": tf.metrics.accuracy(labels, predictions),
            "eval_loss": tf.metrics.mean(per_example_loss),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    return tf_estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimization.create_optimizer(loss, params)
    )
