"""Trains embeddings of words or of weighted lists of ids, on the real tf.estimator.

    TF_CONFIG=... PYTHON benchmarks/baselines/original_columns.py KIND WORDS MODEL_DIR OUTPUT_JSON

KIND is one of the models that Estimators on parameter servers were used for:

vocabulary  words that a vocabulary file numbers, a deep part with Adagrad and a wide one with Ftrl
mod         lists of ids with weights, by `safe_embedding_lookup_sparse`, with the same optimizers
div         the same lists, in tables that are split in ranges, with Adagrad
adam        the same lists as in mod, with Adam

WORDS is the vocabulary file, which is written if it does not exist. `python -m legacy.run` runs the
same file, and the bridge trains its `model_fn`. It does not use this toolkit.
"""

import os
import tempfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import estimator as tf_estimator

BATCH_SIZE = 512
EXAMPLES = 16_384
COLUMNS = [f"id_{index:02}" for index in range(10)]
IDS, EMBEDDING_SIZE = 20_000, 16


def input_fn(params: Mapping[str, str]) -> tf.data.Dataset:
    """Returns repeated, shuffled batches of features that follow Zipf's law, and of labels."""
    rng = np.random.RandomState(0)
    labels = rng.randint(0, 2, [EXAMPLES, 1]).astype(np.float32)
    if params["kind"] == "vocabulary":
        _write_words(params["words"])
        # Some words are not in the vocabulary.
        numbers = (rng.zipf(1.2, [EXAMPLES, len(COLUMNS)]) % (IDS + 500)).astype(str)
        words = np.char.add("w", numbers).astype(object)
        features = {name: words[:, index] for index, name in enumerate(COLUMNS)}
        data = tf.data.Dataset.from_tensor_slices((features, labels))
        return data.shuffle(EXAMPLES).repeat().batch(BATCH_SIZE).prefetch(4)
    examples = np.array([_example(rng, label) for label in labels], object)
    data = tf.data.Dataset.from_tensor_slices(examples).shuffle(EXAMPLES).repeat()
    return data.batch(BATCH_SIZE).map(_parsed).prefetch(4)


def eval_input_fn(params: Mapping[str, str]) -> tf.data.Dataset:
    """Returns a few batches of the same data."""
    return input_fn(params).take(2)


def _write_words(path: str) -> None:
    """Writes the vocabulary file, whole, unless it exists. All tasks may do so at once."""
    if not os.path.exists(path):
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path), delete=False) as file:
            file.writelines(f"w{number}\n" for number in range(IDS))
        os.replace(file.name, path)


def _example(rng: np.random.RandomState, label: np.ndarray) -> bytes:
    """Returns a tf.train.Example with a list of ids, which may be empty, and weights per column."""
    features = {"label": tf.train.Feature(float_list=tf.train.FloatList(value=label))}
    for name in COLUMNS:
        ids = rng.zipf(1.2, rng.randint(0, 5)) % IDS
        weights = rng.rand(len(ids))
        features[name] = tf.train.Feature(int64_list=tf.train.Int64List(value=ids))
        features[f"{name}_weight"] = tf.train.Feature(float_list=tf.train.FloatList(value=weights))
    example = tf.train.Example(features=tf.train.Features(feature=features))
    return example.SerializeToString()


def _parsed(examples: tf.Tensor) -> tuple[dict[str, Any], tf.Tensor]:
    fields: dict[str, Any] = {"label": tf.FixedLenFeature([1], tf.float32)}
    for name in COLUMNS:
        fields[name] = tf.VarLenFeature(tf.int64)
        fields[f"{name}_weight"] = tf.VarLenFeature(tf.float32)
    features = tf.parse_example(examples, fields)
    return features, features.pop("label")


def model_fn(
    features: Any, labels: Any, mode: str, params: Mapping[str, str], config: Any
) -> tf_estimator.EstimatorSpec:
    """Returns the spec of a wide and deep model.

    Args:
      features: The features of `input_fn`.
      labels: Its labels.
      mode: A key of ModeKeys.
      params: "kind" and "words", the arguments of this program.
      config: The RunConfig, for the number of parameter servers.
    """
    parts = max(1, config.num_ps_replicas)
    make = _of_words if params["kind"] == "vocabulary" else _of_lists
    x, wide = make(features, params, parts)
    x = tf.layers.dense(x, 64, tf.nn.relu, name="hidden")
    logits = tf.layers.dense(x, 1, name="logits") + wide
    if mode == "infer":
        return tf_estimator.EstimatorSpec(mode, predictions={"logits": logits})
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=_train_op(loss, params["kind"]))


def _of_words(features: Any, params: Mapping[str, str], parts: int) -> tuple[tf.Tensor, tf.Tensor]:
    column = tf.feature_column
    columns = [
        column.categorical_column_with_vocabulary_file(name, params["words"], IDS, 10)
        for name in COLUMNS
    ]
    partitioner = tf.min_max_variable_partitioner(parts, min_slice_size=256 << 10)
    with tf.variable_scope("deep", partitioner=partitioner):
        embedded = [column.embedding_column(one, EMBEDDING_SIZE) for one in columns]
        x = column.input_layer(features, embedded)
    with tf.variable_scope("wide"):
        return x, column.linear_model(features, columns)


def _of_lists(features: Any, params: Mapping[str, str], parts: int) -> tuple[tf.Tensor, tf.Tensor]:
    placement = "div" if params["kind"] == "div" else "mod"
    deep, wide = [], []
    for name in COLUMNS:
        for scope, size, outputs in (("deep", EMBEDDING_SIZE, deep), ("wide", 1, wide)):
            table = tf.get_variable(
                f"{scope}/{name}",
                [IDS, size],
                partitioner=tf.fixed_size_partitioner(parts),
                initializer=tf.truncated_normal_initializer(stddev=0.1),
            )
            ids, weights = features[name], features[f"{name}_weight"]
            outputs.append(
                tf.nn.safe_embedding_lookup_sparse(
                    table, ids, weights, "mean", partition_strategy=placement
                )
            )
    return tf.concat(deep, 1), tf.add_n(wide)


def _train_op(loss: tf.Tensor, kind: str) -> tf.Operation:
    step = tf.train.get_or_create_global_step()
    if kind in ("div", "adam"):
        optimizer = tf.train.AdagradOptimizer(0.1) if kind == "div" else tf.train.AdamOptimizer()
        return optimizer.minimize(loss, global_step=step)
    # As in a DNNLinearCombinedClassifier.
    variables = tf.trainable_variables()
    wide = [variable for variable in variables if "wide" in variable.name]
    deep = [variable for variable in variables if "wide" not in variable.name]
    updates = [
        tf.train.FtrlOptimizer(0.1).minimize(loss, var_list=wide),
        tf.train.AdagradOptimizer(0.1).minimize(loss, var_list=deep),
    ]
    with tf.control_dependencies(updates):
        return tf.assign_add(step, 1).op


if __name__ == "__main__":
    import original_times

    original_times.train_kind(model_fn, input_fn, BATCH_SIZE, "words")
