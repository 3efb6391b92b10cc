"""Tests that a training step reads the rows of a table, and never the whole table."""

import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from legacy.estimator.loops import table_reads

tf1 = tf.compat.v1
ROWS = 50


class Tracer(tf1.train.SessionRunHook):
    """Keeps the shapes that the operations of the second step produce."""

    def __init__(self):
        self.steps = 0
        self.shapes = []

    def before_run(self, run_context):
        self.steps += 1
        level = tf1.RunOptions.FULL_TRACE if self.steps == 2 else tf1.RunOptions.NO_TRACE
        return tf1.train.SessionRunArgs(None, options=tf1.RunOptions(trace_level=level))

    def after_run(self, run_context, run_values):
        for device in run_values.run_metadata.step_stats.dev_stats if self.steps == 2 else ():
            for node in device.node_stats:
                for output in node.output:
                    sizes = output.tensor_description.shape.dim
                    self.shapes.append(tuple(size.size for size in sizes))


def model_fn(features, labels, mode):
    del mode
    column = tf.feature_column.categorical_column_with_hash_bucket("id", ROWS)
    table = tf.feature_column.embedding_column(column, 3)
    x = tf1.feature_column.input_layer(features, [table])
    loss = tf.reduce_mean((tf.reduce_sum(x, axis=1) - labels) ** 2)
    optimizer = tf1.train.AdagradOptimizer(0.1)
    train_op = optimizer.minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec("train", loss=loss, train_op=train_op)


def input_fn():
    ids = tf.data.Dataset.from_tensor_slices(({"id": [[b"a"], [b"b"]]}, [1.0, 2.0]))
    return ids.repeat().batch(2)


def _shapes(tmp_path, session_config=None):
    tracer = Tracer()
    config = tf_estimator.RunConfig(str(tmp_path), session_config=session_config)
    tf_estimator.Estimator(model_fn, config=config).train(input_fn, [tracer], steps=3)
    assert tracer.steps == 3
    return tracer.shapes


def test_a_step_reads_rows(tmp_path):
    shapes = _shapes(tmp_path)
    assert (2, 3) in shapes  # The rows of a batch.
    assert (ROWS, 3) not in shapes


def test_tensorflow_alone_would_read_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(table_reads, "avoided", lambda config, graph: config)
    assert (ROWS, 3) in _shapes(tmp_path)


@pytest.mark.parametrize("has_update", [False, True])
def test_other_graphs_and_the_users_own_choice_are_left_alone(has_update):
    with tf.Graph().as_default() as graph:
        table = tf1.get_variable("t", [4, 2], use_resource=True)
        tf.math.segment_sum(tf.gather(table, [1]), [0])
        if has_update:
            tf.nn.embedding_lookup_sparse(table, tf.sparse.from_dense([[1]]), None, combiner="mean")
            tf1.train.AdagradOptimizer(0.1).minimize(tf.reduce_sum(tf.gather(table, [0])))
    config = tf1.ConfigProto(allow_soft_placement=True)
    rewrite = config.graph_options.rewrite_options
    found = table_reads.avoided(config, graph)
    assert found.allow_soft_placement
    is_off = found.graph_options.rewrite_options.arithmetic_optimization == rewrite.OFF
    assert is_off == has_update
    assert rewrite.arithmetic_optimization == rewrite.DEFAULT
    rewrite.arithmetic_optimization = rewrite.ON
    assert table_reads.avoided(config, graph) is config
