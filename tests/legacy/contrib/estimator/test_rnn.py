"""Tests of contrib's recurrent estimators that the oracle does not cover."""

import pytest
import tensorflow as tf

from legacy import contrib

tf1 = tf.compat.v1
pytestmark = pytest.mark.filterwarnings("ignore:`tf.nn.rnn_cell")


def columns():
    return [contrib.feature_column.sequence_numeric_column("x")]


def input_fn():
    x = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, -1.0, 0.5], [2, 2])
    return {"x": x}, tf.constant([[0], [1]])


@pytest.mark.parametrize(
    ("cell_type", "error"),
    [("other", TypeError), (None, ValueError), (dict, ValueError)],
)
def test_a_cell_type_is_a_name_or_a_class_of_cells(tmp_path, cell_type, error):
    model = contrib.estimator.RNNClassifier(
        columns(), num_units=[2], cell_type=cell_type, model_dir=str(tmp_path)
    )
    with pytest.raises(error, match="Supported cell types are .*'lstm'"):
        model.train(input_fn, steps=1)


def test_an_optimizer_of_ones_own_is_not_clipped(tmp_path):
    def gradients_of(optimizer):
        model = contrib.estimator.RNNEstimator(
            contrib.estimator.regression_head(),
            columns(),
            rnn_cell_fn=lambda mode: tf1.nn.rnn_cell.BasicRNNCell(2),
            model_dir=str(tmp_path),
            optimizer=optimizer,
        )
        with tf.Graph().as_default() as graph:
            tf1.train.create_global_step()
            spec = model.model_fn(*input_fn(), "train", model.config)
            assert spec.train_op is not None
            return {op.type for op in graph.get_operations()}

    # Clipping by the global norm computes the L2 losses of all gradients.
    assert "L2Loss" in gradients_of("SGD")
    assert "L2Loss" in gradients_of(lambda: tf1.train.GradientDescentOptimizer(0.1))
    assert "L2Loss" not in gradients_of(tf1.train.GradientDescentOptimizer(0.1))
