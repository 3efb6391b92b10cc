"""Says of a review whether it praises: recurrent networks, old and older."""
import argparse
import functools

import tensorflow as tf
from tensorflow.contrib import lookup, rnn

WORDS = ["good", "bad", "fine", "poor", "great", "awful"]


def parse(line):
  parts = tf.string_split([line], "\t").values
  words = tf.string_split([parts[1]]).values
  return words, tf.string_to_number(parts[0], tf.int32)


def input_fn(lines, batch_size=4, epochs=2):
  dataset = tf.data.Dataset.from_tensor_slices(lines).map(parse)
  dataset = dataset.padded_batch(batch_size, ([None], []), padding_values=("", 0)).repeat(epochs)
  words, labels = dataset.make_one_shot_iterator().get_next()
  return {"words": words}, labels


def cell(size, keep):
  single = tf.nn.rnn_cell.LSTMCell(size)
  return tf.nn.rnn_cell.DropoutWrapper(single, output_keep_prob=keep)


def encode(embedded, lengths, params, training):
  keep = params["keep"] if training else 1.0
  kind = params["kind"]
  if kind == "bidirectional":
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(
        cell(params["size"], keep), cell(params["size"], keep), embedded, lengths,
        dtype=tf.float32)
    return tf.reduce_max(tf.concat(outputs, 2), 1)
  if kind == "stacked":
    stack = tf.nn.rnn_cell.MultiRNNCell([cell(params["size"], keep) for _ in range(2)])
    _, states = tf.nn.dynamic_rnn(stack, embedded, sequence_length=lengths, dtype=tf.float32)
    return states[-1].h
  if kind == "contrib":
    cells = [tf.contrib.rnn.LSTMCell(params["size"]),
             rnn.DropoutWrapper(tf.contrib.rnn.BasicLSTMCell(params["size"]), keep),
             tf.contrib.rnn.LayerNormBasicLSTMCell(params["size"])]
    stack = tf.contrib.rnn.MultiRNNCell(cells)
    _, states = tf.nn.dynamic_rnn(stack, embedded, lengths, dtype=tf.float32)
    return states[0].h
  one = tf.nn.rnn_cell.BasicLSTMCell(params["size"])
  steps = tf.unstack(tf.slice(embedded, [0, 0, 0], [-1, 2, -1]), 2, 1)
  zeros = tf.zeros([tf.shape(embedded)[0], params["size"]])
  start = tf.nn.rnn_cell.LSTMStateTuple(zeros, zeros)
  if kind == "static":
    outputs, _ = tf.nn.static_rnn(one, steps, initial_state=start)
  else:
    outputs, _ = tf.contrib.rnn.static_rnn(
        tf.contrib.rnn.DropoutWrapper(one, input_keep_prob=keep), steps,
        initial_state=tf.contrib.rnn.LSTMStateTuple(zeros, zeros))
  return outputs[-1]


def model_fn(features, labels, mode, params):
  if params.get("vocabulary"):
    table = lookup.index_table_from_file(params["vocabulary"], num_oov_buckets=1)
  else:
    table = tf.contrib.lookup.index_table_from_tensor(WORDS, num_oov_buckets=1)
  ids = table.lookup(features["words"])
  lengths = tf.count_nonzero(tf.not_equal(features["words"], ""), 1)
  with tf.variable_scope("embedding"):
    embeddings = tf.get_variable("words", [len(WORDS) + 1, 4],
                                 initializer=tf.random_uniform_initializer(-1, 1))
  embedded = tf.nn.embedding_lookup(embeddings, ids)
  summary = encode(embedded, lengths, params, mode == tf.estimator.ModeKeys.TRAIN)
  logits = tf.squeeze(tf.layers.dense(summary, 1), 1)
  loss = tf.losses.sigmoid_cross_entropy(labels, logits)
  scores = tf.nn.sigmoid(logits)
  metrics = {"auc": tf.metrics.auc(labels, scores),
             "precision": tf.metrics.precision(labels, tf.round(scores)),
             "recall": tf.metrics.recall(labels, tf.round(scores))}
  train_op = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_global_step())
  return tf.estimator.EstimatorSpec(mode, scores, loss, train_op, metrics)


def tables_of_a_file(path):
  return tf.contrib.lookup.index_table_from_file(path, default_value=0)


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("--model_dir", required=True)
  parser.add_argument("--kind", default="stacked")
  arguments = parser.parse_args()
  lines = ["1\tgood great fine", "0\tbad poor", "1\tfine good", "0\tawful bad unknown"]
  params = {"kind": arguments.kind, "size": 4, "keep": 0.8}
  estimator = tf.estimator.Estimator(model_fn, arguments.model_dir, params=params)
  estimator.train(functools.partial(input_fn, lines))
  print(estimator.evaluate(lambda: input_fn(lines, epochs=1)))
