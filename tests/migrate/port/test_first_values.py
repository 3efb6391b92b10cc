"""Tests that other initial values are found, and that other random numbers are told apart."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.port import first_values
from migrate.same_run import initial_values
from migrate.same_run.recording import Recording

DRAWN = np.random.default_rng(1).normal(0.0, 0.1, [20, 30]).astype(np.float32)
AGAIN = np.random.default_rng(2).normal(0.0, 0.1, [20, 30]).astype(np.float32)
VALUES = {"dense/kernel": DRAWN, "rate": np.float32(0.1), "global_step": np.int64(0)}


@pytest.fixture
def run(tmp_path):
    """Returns a function that makes a run with the initial values of an Estimator."""

    def make(**values):
        values = {**VALUES, **values}
        folder = tmp_path / str(len(list(tmp_path.iterdir()))) / "named"
        folder.mkdir(parents=True)
        tf.raw_ops.SaveV2(
            prefix=str(folder / "model.ckpt-0"),
            tensor_names=[*values],
            shape_and_slices=[""] * len(values),
            tensors=[tf.constant(value) for value in values.values()],
        )
        return Recording(first_checkpoints={"model": str(folder / "model.ckpt-0")})

    return make


def test_equal_values_are_counted(run):
    found = first_values.compare(run(), run(rate=np.float32(0.1) * np.float32(1.0 + 1e-7)))
    assert (found.compared, found.lines(), found.not_compared()) == (3, [], [])


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"rate": np.float32(0.11)}, "rate: 0.1 before, 0.11 after"),
        ({"rate": np.float32("nan")}, "rate: 0.1 before, nan after"),
        ({"dense/kernel": np.zeros_like(DRAWN)}, "dense/kernel: mean "),
        ({"dense/kernel": AGAIN * 1.3}, "dense/kernel: mean "),
        ({"dense/kernel": AGAIN + 0.05}, "dense/kernel: mean "),
        ({"dense/kernel": DRAWN * 1.01}, "dense/kernel: mean "),
        ({"dense/kernel": DRAWN[::-1].copy()}, "dense/kernel: off by 0."),
    ],
    ids=[
        "constant",
        "NaN",
        "no numbers",
        "a larger deviation",
        "another mean",
        "another scale",
        "another order",
    ],
)
def test_another_value_is_a_difference(run, changed, difference):
    found = first_values.compare(run(), run(**changed))
    (line,) = found.lines()
    assert line.startswith(f"initial values of model, {difference}")
    assert found.drawn == ()


def test_other_numbers_of_one_distribution_are_not_compared(run):
    found = first_values.compare(run(), run(**{"dense/kernel": AGAIN}))
    assert found.lines() == []
    (line,) = found.not_compared()
    assert line.startswith("initial values of model, dense/kernel: other random numbers, ")


def test_few_numbers_do_not_show_their_distribution(run):
    few, others = ({"dense/bias": one[0, :8].copy()} for one in (DRAWN, AGAIN))
    found = first_values.compare(run(**few), run(**others))
    (line,) = found.lines()
    assert line.startswith("initial values of model, dense/bias: mean ")


def test_a_folder_that_only_the_first_run_has_is_named(run):
    found = first_values.compare(run(), Recording())
    assert (found.compared, found.lines(), found.not_compared()) == (0, [], [])
    (line,) = found.details()
    assert line.startswith("initial values of model: they could not be read, ")


def test_values_that_a_repetition_does_not_repeat_are_left_out(run):
    repetition = run(**{"dense/kernel": AGAIN, "rate": np.float32(0.2)})
    found = first_values.compare(run(), run(rate=np.float32(0.3)), [repetition])
    assert (found.lines(), found.not_compared()) == ([], [])


@pytest.mark.parametrize(("accumulator", "lines"), [(0.1, 0), (0.2, 2)])
def test_a_keras_model_is_paired_with_its_optimizer(run, tmp_path, accumulator, lines):
    kernel, bias = DRAWN[:, :1], np.zeros(1, np.float32)
    sums = {"kernel": np.full_like(kernel, 0.1), "bias": np.full_like(bias, 0.1)}
    before = run(
        **{"dense/kernel": kernel, "dense/bias": bias, "rate": np.float32(0.0)},
        **{f"dense/{name}/Adagrad": value for name, value in sums.items()},
    )
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, name="dense")])
    model.compile(tf_keras.optimizers.Adagrad(0.5, initial_accumulator_value=accumulator), "mse")
    model.build([None, 20])
    model.set_weights([kernel, bias])
    spec = (tf.TensorSpec([None, 20]), tf.TensorSpec([None, 1]))
    path = initial_values.save_model(model, spec, str(tmp_path / "after"))
    after = Recording(first_checkpoints={"model": str(tmp_path / "after" / path)})
    found = first_values.compare(before, after)
    assert len(found.lines()) == lines, found.lines()
    assert all("Adagrad: 0.1 before, 0.2 after" in line for line in found.lines())
    assert (found.drawn, found.compared) == ((), 4)
