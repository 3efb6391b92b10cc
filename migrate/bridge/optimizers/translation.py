"""Makes the tf_keras optimizer that computes the same as a v1 one, with the same slots.

    optimizer = translation.keras_optimizer(tf.compat.v1.train.AdamOptimizer(1e-3), lambda: "")

The learning rate may be a tensor of the step that is being traced. `at_rate` sets this tensor. An
optimizer that is not in the table is kept unchanged, and trains inside the tf.function.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError
from modern.optimizers import classic

_v1 = tf.compat.v1.train
_keras = tf_keras.optimizers.legacy

# Keys are v1 types. Values are the Keras type, the v1 attribute of the learning rate, and the Keras
# arguments by v1 attribute. The attributes are private, but as old as the classes, and TensorFlow
# no longer changes these classes.
_TABLE: dict[type, tuple[type, str, dict[str, str]]] = {
    _v1.GradientDescentOptimizer: (_keras.SGD, "_learning_rate", {}),
    _v1.MomentumOptimizer: (
        classic.Momentum,
        "_learning_rate",
        {"_momentum": "momentum", "_use_nesterov": "use_nesterov"},
    ),
    _v1.AdamOptimizer: (
        _keras.Adam,
        "_lr",
        {"_beta1": "beta_1", "_beta2": "beta_2", "_epsilon": "epsilon"},
    ),
    _v1.AdagradOptimizer: (
        _keras.Adagrad,
        "_learning_rate",
        {"_initial_accumulator_value": "initial_accumulator_value"},
    ),
    _v1.RMSPropOptimizer: (
        classic.RMSProp,
        "_learning_rate",
        {
            "_decay": "decay_rate",
            "_momentum": "momentum",
            "_epsilon": "epsilon",
            "_centered": "centered",
        },
    ),
    _v1.FtrlOptimizer: (
        _keras.Ftrl,
        "_learning_rate",
        {
            "_learning_rate_power": "learning_rate_power",
            "_initial_accumulator_value": "initial_accumulator_value",
            "_l1_regularization_strength": "l1_regularization_strength",
            "_l2_regularization_strength": "l2_regularization_strength",
            "_l2_shrinkage_regularization_strength": "l2_shrinkage_regularization_strength",
            "_beta": "beta",
        },
    ),
    _v1.AdadeltaOptimizer: (_keras.Adadelta, "_lr", {"_rho": "rho", "_epsilon": "epsilon"}),
    _v1.ProximalGradientDescentOptimizer: (
        classic.ProximalGradientDescent,
        "_learning_rate",
        {"_l1_regularization_strength": "l1", "_l2_regularization_strength": "l2"},
    ),
    _v1.ProximalAdagradOptimizer: (
        classic.ProximalAdagrad,
        "_learning_rate",
        {
            "_initial_accumulator_value": "initial_accumulator_value",
            "_l1_regularization_strength": "l1",
            "_l2_regularization_strength": "l2",
        },
    ),
}
# v1 Adagrad has no epsilon.
_FIXED = {_v1.AdagradOptimizer: {"epsilon": 0.0}}


def is_known(optimizer: Any) -> bool:
    """Returns true if a v1 optimizer has an equivalent.

    A subclass has none, because it can compute anything.
    """
    return type(optimizer) in _TABLE


def rate_of(optimizer: Any) -> Any:
    """Returns the learning rate of a v1 optimizer: a number, a tensor or a variable."""
    rate = getattr(optimizer, _TABLE[type(optimizer)][1])
    return rate() if callable(rate) and not tf.is_tensor(rate) else rate


class _AtRate(_keras.Optimizer):
    """Mixin of a Keras optimizer whose learning rate can be a tensor of the traced step."""

    rate_now: tf.Tensor | None = None

    def _decayed_lr(self, dtype: tf.DType) -> tf.Tensor:
        if self.rate_now is not None:
            return tf.cast(self.rate_now, dtype)
        return super()._decayed_lr(dtype)


# Keras types with `_AtRate`, by the Keras type.
_rate_types: dict[type, type] = {}


def _with_rate(keras_type: type) -> type:
    if keras_type not in _rate_types:
        _rate_types[keras_type] = type(keras_type.__name__, (_AtRate, keras_type), {})
    return _rate_types[keras_type]


@contextlib.contextmanager
def at_rate(optimizer: tf_keras.optimizers.legacy.Optimizer, rate: Any) -> Iterator[None]:
    """Makes the optimizer apply gradients at this rate within the block, if it is a tensor."""
    optimizer.rate_now = rate if _is_computed(rate) else None
    try:
        yield
    finally:
        optimizer.rate_now = None


def _is_computed(rate: Any) -> bool:
    return (tf.is_tensor(rate) or isinstance(rate, tf.Variable)) and _number(rate) is None


def _number(value: Any) -> float | None:
    """Returns a value as a number if it is the same in every step, else None."""
    value = value() if callable(value) and not tf.is_tensor(value) else value
    if isinstance(value, tf.Variable):
        return None
    static = tf.get_static_value(value) if tf.is_tensor(value) else value
    return None if static is None else float(static)


def keras_optimizer(
    optimizer: Any, where: Callable[[], str]
) -> tf_keras.optimizers.legacy.Optimizer:
    """Makes the Keras optimizer that is equivalent to a v1 optimizer of the table.

    Args:
      optimizer: The v1 optimizer.
      where: Function that returns the place of use, for the message.

    Raises:
      BridgeError: A hyperparameter other than the learning rate is computed in each step.
    """
    keras_type, rate_name, names = _TABLE[type(optimizer)]
    arguments: dict[str, Any] = dict(_FIXED.get(type(optimizer), {}))
    for name, keras_name in names.items():
        value = getattr(optimizer, name)
        if not isinstance(value, bool | None):
            number = _number(value)
            if number is None:
                raise BridgeError(
                    f"{type(optimizer).__name__}: {keras_name} is computed in each step, but the "
                    f"Keras optimizer takes a number: {where()}"
                )
            value = number
        if value is not None:
            arguments[keras_name] = value
    rate = _number(rate_of(optimizer))
    # If the rate is computed in each step, this number is never used.
    arguments["learning_rate"] = 0.0 if rate is None else rate
    result = _with_rate(keras_type)(name=optimizer.get_name(), **arguments)
    if "epsilon" in arguments and "epsilon" not in result._hyper:
        result.epsilon = arguments["epsilon"]  # Keras replaces 0 by its own default.
    return result
