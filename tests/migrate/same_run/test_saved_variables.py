"""Tests that an Estimator's checkpoint is compared with one of Keras, variable by variable."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.same_run import saved_variables
from modern.model_files.checkpoints import Checkpoints

KERNEL = np.array([[1.0], [2.0]], np.float32)
ADAM = ("Adam", "Adam_1")
WEIGHTS = {"dense/kernel": KERNEL, "dense/bias": np.zeros(1, np.float32)}


def _old(folder, **variables):
    """Writes an Estimator's checkpoint."""
    values = {**WEIGHTS, "global_step": np.int64(0), **variables}
    prefix = str(folder / "model.ckpt-0")
    folder.mkdir()
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=[*values],
        shape_and_slices=[""] * len(values),
        tensors=[tf.constant(one) for one in values.values()],
    )
    return prefix


def _new(folder, optimizer):
    """Writes a Keras checkpoint."""
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=[2], name="dense")])
    model.compile(optimizer)
    if isinstance(optimizer, tf_keras.optimizers.Optimizer):
        optimizer.build(model.trainable_variables)
    model.set_weights([*WEIGHTS.values()])
    Checkpoints(model, str(folder), None).save()
    return tf.train.latest_checkpoint(str(folder / "checkpoints"))


def _compared(before, after):
    return saved_variables.compare(before, after, rtol=1e-4, atol=1e-6)


def test_plain_sgd_needs_no_momentum(tmp_path):
    new = _new(tmp_path / "new", tf_keras.optimizers.SGD(0.1))
    found = _compared(_old(tmp_path / "old"), new)
    assert (found.problems, found.differing) == ((), ())
    assert found.extent == (
        "2 of 2 variables, 0 of 0 variables of optimizers. 2 of a momentum that is not in use "
        "are in one checkpoint only"
    )


@pytest.mark.parametrize(("off", "count"), [(0.0, 0), (0.1, 1)])
def test_slots_and_not_powers_tell_betas_apart(tmp_path, off, count):
    slots = {f"{name}/{slot}": np.zeros_like(one) for name, one in WEIGHTS.items() for slot in ADAM}
    slots["dense/bias/Adam"] += off
    powers = {"beta1_power": np.float32(0.8), "beta2_power": np.float32(0.99)}
    new = _new(tmp_path / "new", tf_keras.optimizers.Adam(0.1, beta_1=0.8, beta_2=0.99))
    found = _compared(_old(tmp_path / "old", **slots, **powers), new)
    assert found.problems == ()
    assert len(found.differing) == count


def test_a_variable_that_differs_is_named(tmp_path):
    new = _new(tmp_path / "new", tf_keras.optimizers.SGD(0.1))
    found = _compared(_old(tmp_path / "old", **{"dense/kernel": KERNEL + 0.1}), new)
    assert [one.left for one in found.differing] == ["dense/kernel"]


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({"other/kernel": KERNEL}, "other/kernel has no counterpart in Keras'"),
        (
            {"dense/kernel": KERNEL.astype(np.float64)},
            "dense/kernel is float64, and dense/kernel float32",
        ),
        ({"dense/kernel/Adagrad": KERNEL}, "dense/kernel/Adagrad: Keras' has no Adagrad"),
        ({"dense/kernel/Momentum": KERNEL}, "dense/kernel/Momentum: Keras' has no Momentum"),
    ],
)
def test_a_variable_without_equal_counterpart_is_a_problem(tmp_path, variables, problem):
    new = _new(tmp_path / "new", tf_keras.optimizers.legacy.SGD(0.1))
    found = _compared(_old(tmp_path / "old", **variables), new)
    assert [one for one in found.problems if one.startswith(problem)], found.problems
