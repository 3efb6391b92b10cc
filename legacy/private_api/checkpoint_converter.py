"""Converts checkpoints of the v1 canned estimators for the v2 ones, with the optimizer's state.

    convert_checkpoint(
        "dnn", "/models/1/model.ckpt-100", "/models/1/graph.pbtxt", "/models/2/model.ckpt-100"
    )

The v1 classes train with `tf.compat.v1.train` optimizers, the v2 classes with Keras's. The weights
have the same names in both, but the optimizer's variables do not. Old programs import this from
`tensorflow_estimator.python.estimator.tools.checkpoint_converter`. The output follows that of the
original tool, with one exception: the original also copied the v1 state of DNNLinearCombined's
optimizers next to the converted state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf
import tf_keras

tf1 = tf.compat.v1

_STEP = tf1.GraphKeys.GLOBAL_STEP
_PARTS = {"t_0", "part_0"}  # Parts in the names of v1 slots of a partitioned variable.
_OF_LINEAR = "linear/linear_model/"


class _Optimizer(NamedTuple):
    """The v2 counterpart of a v1 optimizer.

    Attributes:
      keras: The class of the Keras optimizer.
      slots: Last part of a slot's name in v1, mapped to its name in v2. Other slots are left out.
      settings: Settings that Keras saves in a checkpoint.
    """

    keras: type
    slots: Mapping[str, str]
    settings: tuple[str, ...]


_KERAS = tf_keras.optimizers.legacy
_OPTIMIZERS = {
    "Adagrad": _Optimizer(_KERAS.Adagrad, {"Adagrad": "accumulator"}, ()),
    "Adam": _Optimizer(_KERAS.Adam, {"Adam": "m", "Adam_1": "v"}, ()),
    "Ftrl": _Optimizer(
        _KERAS.Ftrl,
        {"Ftrl": "accumulator", "Ftrl_1": "linear"},
        (
            "beta",
            "l1_regularization_strength",
            "l2_regularization_strength",
            "learning_rate_power",
        ),
    ),
    "RMSProp": _Optimizer(_KERAS.RMSprop, {"RMSProp": "rms"}, ("momentum", "rho")),
    "SGD": _Optimizer(_KERAS.SGD, {}, ("momentum",)),
}


def convert_checkpoint(
    estimator_type: str, source_checkpoint: str, source_graph: str, target_checkpoint: str
) -> None:
    """Writes a checkpoint from which a v2 canned estimator resumes.

    Args:
      estimator_type: The class: "dnn", "linear" or "combined".
      source_checkpoint: Checkpoint of the v1 class, without suffix.
      source_graph: Its graph.pbtxt. Ignored, because settings are those of Keras's optimizers.
      target_checkpoint: Checkpoint to write, without suffix.

    Raises:
      ValueError: The class is unknown, or a combined one uses the same optimizer twice.
    """
    if estimator_type not in ("dnn", "linear", "combined"):
        raise ValueError(f"estimator_type={estimator_type!r}: use 'dnn', 'linear' or 'combined'.")
    del source_graph
    reader = tf.train.load_checkpoint(source_checkpoint)
    values = {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}
    new_values: dict[str, Any] = {}
    for name in sorted(values):
        new_values.update(_convert_variable(name, values[name], values[_STEP]))
    for optimizer, of_linear in _optimizers_of(values, estimator_type).items():
        new_values.update(_settings(optimizer))
        if of_linear:  # The DNN side's optimizer counts in the global step.
            new_values[_name(optimizer, "iter")] = values[_STEP]
    for name in sorted(new_values):
        tf1.logging.info("Converted: %s", name)
    _save(new_values, target_checkpoint)


def _optimizers_of(names: Mapping[str, Any], estimator_type: str) -> dict[str, bool]:
    """Returns the optimizers, with True for that of a combined class's linear side."""
    sides: dict[str, bool] = {}
    for name in names:
        optimizer = re.sub(r"_\d+$", "", name.rpartition("/")[2])
        if optimizer not in _OPTIMIZERS:
            continue
        of_linear = name.startswith(_OF_LINEAR)
        if sides.setdefault(optimizer, of_linear) != of_linear:
            raise ValueError(_twice(optimizer))
    if estimator_type != "combined":
        return dict.fromkeys(sides or ["SGD"], False)
    if not sides:
        raise ValueError(_twice("SGD"))
    if len(sides) == 1:  # SGD stores nothing in a checkpoint.
        sides["SGD"] = not all(sides.values())
    return sides


def _twice(optimizer: str) -> str:
    return (
        f"Two `{optimizer}` optimizers are used in DNNLinearCombined model, and this is not "
        "handled by the checkpoint converter. Train the v2 class from the weights alone, with "
        "warm_start_from."
    )


def _convert_variable(name: str, value: Any, step: Any) -> dict[str, Any]:
    """Returns a variable under its v2 name and with its v2 value. Empty if v2 does not have it."""
    owner, _, slot = name.rpartition("/")
    if slot in ("beta1_power", "beta2_power"):
        # v1 stores a power of beta, Keras stores beta itself.
        # The formula of the original tool. (v1's power is that of step + 1, because it starts with
        # beta itself.)
        decay = np.power(value, np.float32(1) / np.float32(step))
        return {_name("Adam", slot.replace("_power", "").replace("beta", "beta_")): decay}
    optimizer = re.sub(r"_\d+$", "", slot)
    if optimizer not in _OPTIMIZERS:
        return {name: value}
    if slot not in _OPTIMIZERS[optimizer].slots:
        return {}
    variable = [part for part in owner.split("/") if part not in _PARTS]
    return {_name(optimizer, *variable, _OPTIMIZERS[optimizer].slots[slot]): value}


def _settings(optimizer: str) -> dict[str, Any]:
    config = _OPTIMIZERS[optimizer].keras().get_config()
    names = ("decay", "learning_rate", *_OPTIMIZERS[optimizer].settings)
    return {_name(optimizer, name): np.float32(config[name]) for name in names}


def _name(optimizer: str, *parts: str) -> str:
    return "/".join(("training", _OPTIMIZERS[optimizer].keras.__name__, *parts))


def _save(values: Mapping[str, Any], path: str) -> None:
    with tf.Graph().as_default(), tf1.Session() as session:
        variables = {
            name: tf1.Variable(value, name=name, use_resource=True)
            for name, value in values.items()
        }
        session.run(tf1.global_variables_initializer())
        # A v1 Saver, because an Estimator finds variables in a checkpoint by name.
        tf1.train.Saver(variables).save(session, path)
