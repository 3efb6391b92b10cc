"""Features, labels and feature columns that the programs of canned estimators share."""

import numpy as np
import tensorflow as tf

from tests.oracle import facts

tf1 = tf.compat.v1
fc = tf.feature_column

EXAMPLES = 16


def features():
    numbers = np.linspace(-1, 1, 2 * EXAMPLES, dtype="float32").reshape(EXAMPLES, 2)
    words = [["a", "b", "c", "?"][i % 4] for i in range(EXAMPLES)]
    tags = [[words[i], ["x", "y", "a"][i % 3]] for i in range(EXAMPLES)]
    missing = [[words[i], ["x", "", "a"][i % 3]] for i in range(EXAMPLES)]
    ids = np.arange(EXAMPLES).reshape(EXAMPLES, 1) % 5
    return {
        "number": numbers,
        "word": np.array(words).reshape(EXAMPLES, 1),
        "tags": np.array(tags),
        "missing": np.array(missing),
        "tag_weights": np.abs(numbers) + 0.5,
        "id": ids,
        "an id": ids,
        "importance": np.linspace(0.5, 2, EXAMPLES, dtype="float32").reshape(EXAMPLES, 1),
    }


def binary():
    return (np.arange(EXAMPLES) % 2).reshape(EXAMPLES, 1)


def three_classes():
    return np.array(["no", "yes", "maybe", "no"] * 4).reshape(EXAMPLES, 1)


def two_numbers():
    numbers = features()["number"]
    return np.stack([numbers.sum(1), numbers[:, 0] - 1], axis=1)


def input_fn(labels):
    """Returns an input function that repeats four batches of four examples."""

    def call():
        dataset = tf.data.Dataset.from_tensor_slices((features(), labels))
        return dataset.batch(4).repeat()

    return call


def small():
    """Returns one dense and one categorical column."""
    return [
        fc.numeric_column("number", shape=(2,)),
        fc.categorical_column_with_vocabulary_list("word", ["a", "b", "c"]),
    ]


def small_dense():
    number, word = small()
    return [number, fc.embedding_column(word, 2)]


def categorical(identity="an id"):
    """Returns one column of each categorical kind."""
    tags = fc.categorical_column_with_hash_bucket("tags", 7)
    bucketized = fc.bucketized_column(fc.numeric_column("number", shape=(2,)), [-0.5, 0.0, 0.5])
    return [
        fc.categorical_column_with_vocabulary_list("word", ["a", "b", "c"], num_oov_buckets=1),
        fc.categorical_column_with_identity(identity, 4, default_value=0),
        fc.weighted_categorical_column(tags, "tag_weights"),
        fc.crossed_column(["word", bucketized], 11),
        fc.categorical_column_with_hash_bucket("missing", 5),
        bucketized,
    ]


def dense():
    """Returns a dense column over each of these, and a numeric column with a normalizer_fn."""
    # Each dense column in a layer gets a name scope, and such a name must not contain a space.
    vocabulary, identity, weighted, crossed, missing, bucketized = categorical("id")
    return [
        fc.numeric_column("number", shape=(2,), normalizer_fn=lambda x: 2 * x),
        fc.indicator_column(vocabulary),
        fc.embedding_column(identity, 3, combiner="sum"),
        fc.embedding_column(weighted, 2, combiner="sqrtn", max_norm=1.0),
        fc.indicator_column(crossed),
        fc.embedding_column(missing, 2),
        bucketized,
    ]


def shared():
    """Returns two columns that share an embedding."""
    words = fc.categorical_column_with_hash_bucket("word", 5)
    tags = fc.categorical_column_with_hash_bucket("tags", 5)
    with tf.Graph().as_default():  # TensorFlow rejects them under eager execution.
        return fc.shared_embeddings([words, tags], 2)


def shared_v1():
    """Returns the same two columns as the v1 API makes them."""
    words = fc.categorical_column_with_hash_bucket("word", 5)
    tags = fc.categorical_column_with_hash_bucket("tags", 5)
    with tf.Graph().as_default():
        return tf1.feature_column.shared_embedding_columns([words, tags], 2)


def summary_tags(folder):
    """Returns the tags of the summaries in a folder."""
    tags = set()
    for file in tf.io.gfile.glob(folder + "/events*"):
        for event in tf1.train.summary_iterator(file):
            tags.update(value.tag for value in event.summary.value)
    return sorted(tags - {"global_step/sec"})


def graph_variables(folder):
    """Returns the variables of the last training's graph, with each part of a partitioned one."""
    with tf.Graph().as_default():
        tf1.train.import_meta_graph(tf.train.latest_checkpoint(folder) + ".meta")
        return sorted(variable.name for variable in tf1.global_variables())


def from_zero(model, input_fn, steps=4):
    """Trains a linear model from zero weights and returns its variables, values and losses."""
    model.train(input_fn, steps=steps)
    return {
        "variables": facts.variables(model.model_dir),
        "values": facts.values(model.model_dir),
        "losses": facts.scalars(model.model_dir).get("loss", []),
    }


def three_more_steps(model, input_fn):
    """Trains one step, fixes the weights, trains three steps and returns variables and losses."""
    model.train(input_fn, steps=1)
    facts.fix_weights(model.model_dir)
    model.train(input_fn, steps=3)
    losses = facts.scalars(model.model_dir).get("loss", [])
    return {
        "variables": facts.variables(model.model_dir),
        "values": facts.values(model.model_dir),
        "losses": [pair for pair in losses if pair[0] > 1],
    }


def config(estimator, folder):
    return estimator.RunConfig(model_dir=folder, save_summary_steps=1, tf_random_seed=1)
