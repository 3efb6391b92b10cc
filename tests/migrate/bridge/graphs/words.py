"""A model_fn with lookup tables, and a program that trains it in a cluster.

    python -m tests.migrate.bridge.graphs.words

The program trains for three steps by ParameterServerStrategy, with a worker and a parameter server
in this process, and for as many by an Estimator. It prints as JSON the final values of both, by
their names in the checkpoints, and the counts of the graph that the worker runs (see `counts`).
With the argument `planted`, the tables are on the coordinator.
"""

import json
import sys

import numpy as np
import tensorflow as tf

from legacy import estimator as tf_estimator
from migrate.bridge.graphs import lookup_tables
from modern.process import cli
from modern.training.steps import table_handles
from tests.migrate.bridge import trained_twice
from tests.modern import in_process_cluster

tf1 = tf.compat.v1
WORDS = ["red", "green", "blue"]


def data():
    """Returns the words of 64 examples, (64, 1) string, and labels, (64, 1) float32."""
    random = np.random.RandomState(0)
    words = random.choice([*WORDS, "odd"], [64, 1]).astype(object)
    return {"word": words}, random.rand(64, 1).astype("f")


def endless():
    """Returns batches of 16, without an end."""
    return tf.data.Dataset.from_tensor_slices(data()).batch(16).repeat()


def numbers_of(words):
    """Returns the numbers of the words in four tables, of which the first two are equal."""
    tables = [
        tf1.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(WORDS, numbers, tf.string, tf.float32), default
        )
        for numbers, default in (((1, 2, 3), 7), ((1, 2, 3), 7), ((1, 2, 3), 8), ((1, 2, 4), 7))
    ]
    # Old programs order what they do by the operations that fill the tables.
    initializers = tf1.get_collection(tf1.GraphKeys.TABLE_INITIALIZERS)
    with tf.control_dependencies([tf.group(tables[0].initializer, *initializers)]):
        return tf.concat([table.lookup(words) for table in tables], 1)


def model_fn(features, labels, mode):
    """Looks each word up in four tables of its own, and in two equal ones of columns."""
    columns, ones = tf1.feature_column, tf1.ones_initializer()
    column = columns.categorical_column_with_vocabulary_list("word", WORDS, num_oov_buckets=1)
    dense_columns = [columns.embedding_column(column, 2, initializer=ones)]
    with tf1.variable_scope("a"):
        rows = columns.input_layer(features, dense_columns)
    with tf1.variable_scope("b"):
        more_rows = columns.input_layer(features, dense_columns)
    numbers = numbers_of(features["word"])
    inputs = tf.concat([rows, more_rows, numbers], 1)
    outputs = tf1.layers.dense(inputs, 1, kernel_initializer=ones)
    predictions = {"outputs": outputs, "numbers": numbers}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, predictions)
    loss = tf1.losses.mean_squared_error(labels, outputs)
    train_op = tf1.train.GradientDescentOptimizer(0.01).minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, predictions, loss, train_op)


def counts(graph):
    """Returns counts of lookup tables in the graph of a tf.function.

    Returns:
      own: The number of lookups in tables of the worker that runs the graph.
      others: The number of lookups in other tables.
      tables: The number of tables.
      fills: The number of operations that fill a table.
    """
    late_inputs = {tensor.name for tensor in graph.deferred_internal_captures}
    operations = graph.get_operations()
    lookups = [operation for operation in operations if operation.type == "LookupTableFindV2"]
    tables = [operation.inputs[0].name for operation in lookups]
    own = sum(table in late_inputs for table in tables)
    fills = sum(operation.type == "LookupTableImportV2" for operation in operations)
    return {"own": own, "others": len(tables) - own, "tables": len({*tables}), "fills": fills}


def main():
    if sys.argv[1:] == ["planted"]:
        kept = lookup_tables.LookupTables.kept
        lookup_tables.LookupTables.kept = lambda tables, on_workers: kept(tables, False)
    resolver, servers = in_process_cluster.served()
    graphs = []

    def recorded(features, labels, mode):
        graph = tf1.get_default_graph()
        if not graph.building_function:
            return model_fn(features, labels, mode)
        graphs.append(graph)
        with table_handles.sent_once(graph):  # As the training step of `migrate train`.
            return model_fn(features, labels, mode)

    strategy = tf.distribute.ParameterServerStrategy(resolver)
    _, found, expected = trained_twice.on_servers(strategy, recorded, endless)
    print(json.dumps([found, expected, counts(graphs[-1])]), flush=True)
    del servers  # A deleted server stops.


if __name__ == "__main__":
    main()
    cli.exit_at_once(0)  # The parameter servers never stop by themselves.
