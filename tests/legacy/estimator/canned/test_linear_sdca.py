"""Tests of LinearSDCA's convergence, saved state and rejected arguments."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from legacy.compat.v1 import estimator as estimator_v1

LinearSDCA = estimator.experimental.LinearSDCA
ROWS = 6


def columns():
    color = tf.feature_column.categorical_column_with_identity("color", 3, default_value=0)
    return [tf.feature_column.numeric_column("x"), color]


def input_fn():
    x = np.linspace(-1, 1, ROWS, dtype=np.float32)[:, None]
    features = {
        "id": [str(i) for i in range(ROWS)],
        "x": x,
        "color": np.arange(ROWS)[:, None] % 3,
    }
    return tf.data.Dataset.from_tensors((features, 3 * x)).repeat()


def test_a_regression_comes_to_its_ridge_solution_and_goes_on_from_there(tmp_path):
    # With two shards in the tables of examples, each key must find the shard of its state again.
    optimizer = LinearSDCA("id", num_table_shards=2, symmetric_l2_regularization=0.5)
    regressor = estimator.LinearRegressor(columns(), str(tmp_path), optimizer=optimizer)
    regressor.train(input_fn, steps=25)
    x, color = np.linspace(-1, 1, ROWS), np.eye(3)[np.arange(ROWS) % 3]
    inputs = np.column_stack([x, color, np.ones(ROWS)])
    expected = np.linalg.solve(inputs.T @ inputs + 0.5 * np.eye(5), inputs.T @ (3 * x))

    def weights():
        names = ("x/weights", "color/weights", "bias_weights")
        values = [regressor.get_variable_value(f"linear/linear_model/{name}") for name in names]
        return np.concatenate([value.ravel() for value in values])

    np.testing.assert_allclose(weights(), expected, atol=1e-3)
    regressor.train(input_fn, steps=2)  # If the state of the examples were lost, it would move.
    np.testing.assert_allclose(weights(), expected, atol=1e-3)


def test_what_it_cannot_train_is_refused():
    sdca_of_ids = LinearSDCA("id")
    with pytest.raises(ValueError, match="cannot be used in a multi-class setting"):
        estimator.LinearClassifier(columns(), n_classes=3, optimizer=sdca_of_ids)
    with pytest.raises(ValueError, match="only be used with one-dimensional label"):
        estimator.LinearRegressor(columns(), label_dimension=2, optimizer=sdca_of_ids)
    with pytest.raises(ValueError, match="sparse_combiner must be \"sum\".*'mean'"):
        estimator_v1.LinearRegressor(columns(), optimizer=sdca_of_ids, sparse_combiner="mean")
    labels = estimator.LinearEstimator(
        estimator.MultiLabelHead(2), columns(), optimizer=sdca_of_ids
    )
    with pytest.raises(ValueError, match="Unsupported head type"):
        labels.train(input_fn, steps=1)
    without = LinearSDCA("id", symmetric_l2_regularization=0.0)
    with pytest.raises(ValueError, match="symmetric_l2_regularization should be positive"):
        estimator.LinearRegressor(columns(), optimizer=without).train(input_fn, steps=1)
