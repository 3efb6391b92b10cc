"""Tests that a training step of Keras reads the rows of a table, and never the whole table.

The read of a whole table needs memory for its copy. So the peak memory of a process tells.
TensorFlow 2.21 makes such reads only where several steps are one execution.
"""

import os
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.training.steps import table_reads
from tests.cluster.trainings import ENV

PROGRAM = """
import sys
import tensorflow as tf
import tf_keras
from modern import porting
from modern.porting.column_layers import EmbeddingBag

ROWS = 1_000_000  # Of 16 weights of 4 bytes: 64 MB.

def keras():
    ids = tf_keras.Input([3], dtype=tf.int64)
    rows = EmbeddingBag(ROWS, 16, embeddings_initializer="ones")(ids)
    model = tf_keras.Model(ids, tf_keras.layers.Dense(1)(rows))
    model.compile(tf_keras.optimizers.legacy.Adagrad(0.1), "mse", steps_per_execution=2)
    porting.restore(model, None)
    return model

def bridge():
    from migrate import bridge
    from legacy import estimator as tf_estimator
    def model_fn(features, labels, mode):
        ids = tf.feature_column.categorical_column_with_identity("x", ROWS)
        column = tf.feature_column.embedding_column(ids, 16, initializer=tf.ones_initializer())
        x = tf.compat.v1.feature_column.input_layer({"x": features}, [column])
        loss = tf.reduce_mean((x - labels) ** 2)
        optimizer = tf.compat.v1.train.AdagradOptimizer(0.1)
        train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
    model = bridge.KerasModelFn(model_fn)
    model.compile(steps_per_execution=2)
    return model

class Growth(tf_keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # Makes the memory of now the peak.
        self.before = peak()

    def on_train_end(self, logs=None):
        print(peak() - self.before)

def peak():
    with open("/proc/self/status") as file:
        return int(file.read().split("VmHWM:")[1].split()[0]) // 1024

kind, is_on = sys.argv[1], sys.argv[2] == "on"
if is_on:
    tf.config.optimizer.set_experimental_options({"arithmetic_optimization": True})
data = tf.data.Dataset.from_tensors((tf.constant([[1, 2, 2]], tf.int64), [[0.0]])).repeat(6)
globals()[kind]().fit(data, callbacks=[Growth()], verbose=0)
"""


def _growth(kind, optimizer="default"):
    """Returns the MB by which the peak memory grows in six steps."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, optimizer],
        env=os.environ | ENV,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return int(done.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads Linux' /proc")
@pytest.mark.parametrize("kind", ["keras", "bridge"])
def test_a_step_reads_rows(kind):
    # With "on", the program chooses the optimizer itself. TensorFlow then reads all 64 MB.
    assert _growth(kind) < _growth(kind, "on") - 50


def test_only_sums_beside_an_update_and_its_lookup_are_affected():
    def graph_of(device, updates):
        with tf.Graph().as_default() as graph:
            with tf.device("/cpu:0"):
                table = tf.compat.v1.get_variable("t", [4, 2], use_resource=True)
            with tf.device(device):
                ids = tf.sparse.from_dense([[1]])
                x = tf.nn.embedding_lookup_sparse(table, ids, None, combiner="mean")
            if updates:
                tf.compat.v1.train.AdagradOptimizer(0.1).minimize(tf.reduce_sum(x))
        return graph

    assert table_reads.happen_in(graph_of("/cpu:0", updates=True))
    assert not table_reads.happen_in(graph_of("/cpu:0", updates=False))
    assert not table_reads.happen_in(graph_of("/cpu:1", updates=True))
