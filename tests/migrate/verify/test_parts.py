"""Tests for parts of the verifier: dropout, gradients, tolerances, metric pairs, verdicts."""

import json

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.verify import results
from migrate.verify.levels import metrics
from migrate.verify.measures import dropouts
from migrate.verify.sides import randomness, tolerances, values, watching, whole_variables

tf1 = tf.compat.v1


@pytest.mark.filterwarnings("ignore:.*is deprecated")
def test_switches_off_every_dropout_and_notes_the_rates():
    before = tf.nn.dropout
    with tf.Graph().as_default(), randomness.dropout_off() as seen:
        x = tf.ones([2, 5])
        outputs = [
            tf1.layers.dropout(x, 0.1, training=True),
            tf1.nn.dropout(x, keep_prob=0.75),
            tf1.nn.dropout(x, rate=0.2),
            tf.nn.dropout(x, 0.3),
            tf_keras.layers.Dropout(0.4)(x, training=True),
        ]
        assert tf1.layers.dropout(x, 0.9, training=False) is not None
        with tf1.Session() as session:
            found = session.run(outputs)

    assert all((one == 1).all() for one in found)
    assert [round(one.rate, 6) for one in seen] == [0.1, 0.25, 0.2, 0.3, 0.4]
    assert {one.width for one in seen} == {5}
    assert tf.nn.dropout is before


def test_names_random_operations_but_no_initializers():
    with tf.Graph().as_default() as graph:
        tf1.get_variable("w", [3], initializer=tf1.random_normal_initializer())
        tf.random.uniform([2], name="draw")
    names = randomness.random_ops(graph, below="nitializer")
    assert names == ["draw/RandomUniform"]


class Own(tf1.train.Optimizer):
    """Optimizer that overrides `apply_gradients` without calling its base class, as was common."""

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        return tf.group(*[v.assign_sub(g) for g, v in grads_and_vars if g is not None])


@pytest.mark.parametrize(
    "optimizer", [lambda: tf1.train.AdamOptimizer(0.1), lambda: Own(False, "own")]
)
def test_watches_what_is_applied(optimizer):
    original = Own.apply_gradients
    with tf.Graph().as_default(), watching.applied_gradients() as applied:
        used, unused = tf1.get_variable("a", [2]), tf1.get_variable("b", [2])
        optimizer().minimize(tf.reduce_sum(used**2), var_list=[used, unused])

    assert [variable.name for _, variable in applied.pairs] == ["a:0"]
    assert len(applied.optimizers) == len(applied.by) == 1
    assert Own.apply_gradients is original


def test_nudges_each_number_by_one_unit_in_the_last_place():
    given = {"w": np.linspace(1, 2, 50, dtype=np.float32), "ids": np.arange(3), "no": None}
    moved = values.nudged(given, seed=3)

    assert set(np.sign(moved["w"] - given["w"])) == {-1, 1}
    np.testing.assert_allclose(moved["w"], given["w"], rtol=2e-7)
    np.testing.assert_array_equal(moved["ids"], given["ids"])
    assert moved["no"] is None


def test_interesting_weights_are_neither_zero_nor_one():
    initial = {
        "n/gamma": np.ones(4, np.float32),
        "n/moving_variance": np.ones(4, np.float32),
        "d/bias": np.zeros(4, np.float32),
        "d/kernel": np.full((2, 2), 0.5, np.float32),
        "count": np.zeros((), np.int64),
        "table": np.ones(4, np.float32),
    }
    found = values.interesting(initial, {"n/gamma", "d/bias", "d/kernel"})

    for name in ("n/gamma", "n/moving_variance", "d/bias"):
        assert not np.isin(found[name], [0, 1]).any()
    assert (found["n/moving_variance"] > 0).all()
    assert found["count"] == 0
    np.testing.assert_array_equal(found["table"], initial["table"])


def test_a_tolerance_follows_what_rounding_does_to_that_number():
    floor = tolerances.Floor({"calm": np.ones(3, np.float32), "wild": np.ones(3, np.float32)})
    floor.see({"calm": np.ones(3, np.float32), "wild": np.full(3, 1.01, np.float32)})

    assert floor.tolerance("calm") == pytest.approx(tolerances.MARGIN * 2**-23)
    assert floor.tolerance("wild") == pytest.approx(tolerances.MARGIN * 0.01, rel=1e-3)
    assert tolerances.deviation(np.array([np.nan]), np.array([1.0])) == np.inf


@pytest.mark.parametrize("part_rows", [None, 2])
def test_joins_and_cuts_partitioned_variables(part_rows):
    with tf.Graph().as_default():
        partitioner = tf1.fixed_size_partitioner(part_rows) if part_rows else None
        tf1.get_variable("t", [5, 2], partitioner=partitioner)
        found = whole_variables.join(tf1.global_variables())

    value = np.arange(10.0).reshape(5, 2)
    assert found["t"].shape == (5, 2)
    np.testing.assert_array_equal(found["t"].joined(found["t"].pieces(value)), value)


def test_pairs_metrics_by_name():
    pairs, old, new = metrics.pair(
        ["accuracy/head", "auc", "rmse", "mine"],
        ["head_accuracy", "auc_3", "root_mean_squared_error", "other"],
        {},
    )
    assert pairs == {
        "accuracy/head": "head_accuracy",
        "auc": "auc_3",
        "rmse": "root_mean_squared_error",
    }
    assert (old, new) == (["mine"], ["other"])


def test_pairs_metrics_with_an_outputs_name_in_front_where_there_is_one():
    assert metrics.pair(["cost", "loss"], ["a_cost", "b_gain"], {})[0] == {"cost": "a_cost"}
    assert not metrics.pair(["cost"], ["a_cost", "b_cost"], {})[0]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["same", "same", "not asked for"], ("same", 0)),
        (["same", "different", "not reached"], ("different", 1)),
        (["same", "could not tell", "not reached"], ("could not tell", 2)),
        ([], ("could not tell", 2)),
    ],
)
def test_concludes_from_the_levels(verdicts, expected):
    levels = [results.Level(n, "it", verdict) for n, verdict in enumerate(verdicts, 1)]
    report = results.Report(levels, {}, {}, {}, [], [], "", 0.0)
    assert (report.verdict, report.exit_code) == expected


def test_an_infinite_deviation_is_written_as_json():
    level = results.Level(1, "it")
    level.comparisons.append(results.Comparison("a", "b", float("inf"), 1.0, 1.0))
    json.dumps(level.conclude().to_dict(), allow_nan=False)
    assert level.verdict == results.DIFFERENT


@pytest.mark.parametrize(
    ("function", "alike"),
    [
        (lambda x: 3 * x.T, True),
        (lambda x: np.maximum(x, 0), True),
        (lambda x: x + 0.1, False),
        (lambda x: x[:-1], False),
    ],
    ids=["transposed and scaled", "rectified", "shifted", "a part"],
)
def test_knows_what_dropout_is_applied_to_by_its_values(function, alike):
    value = np.random.default_rng(1).normal(size=(4, 3)).astype(np.float32)
    assert dropouts._alike(value, function(value), 1e-6) is alike


def test_scales_what_is_trained_and_variances_by_the_square():
    weights = {name: np.ones(1, np.float32) for name in ("d/kernel", "n/moving_variance", "other")}
    found = values.scaled(weights, {"d/kernel"}, 4.0)
    assert {name: value.item() for name, value in found.items()} == {
        "d/kernel": 4.0,
        "n/moving_variance": 16.0,
        "other": 1.0,
    }
