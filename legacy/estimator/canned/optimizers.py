"""Resolves an `optimizer` argument: a name, an optimizer, or a function that returns one.

>>> get_optimizer_instance("Adagrad", learning_rate=0.05).get_name()
'Adagrad'
>>> type(get_optimizer_instance_v2("SGD")).__name__
'SGD'

The v1 API takes optimizers of `tf.compat.v1.train`, the v2 API takes legacy Keras optimizers.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf
import tf_keras

tf1 = tf.compat.v1

_V1 = {
    "Adagrad": tf1.train.AdagradOptimizer,
    "Adam": tf1.train.AdamOptimizer,
    "Ftrl": tf1.train.FtrlOptimizer,
    "RMSProp": tf1.train.RMSPropOptimizer,
    "SGD": tf1.train.GradientDescentOptimizer,
}
_V2 = {
    "Adagrad": tf_keras.optimizers.legacy.Adagrad,
    "Adam": tf_keras.optimizers.legacy.Adam,
    "Ftrl": tf_keras.optimizers.legacy.Ftrl,
    "RMSProp": tf_keras.optimizers.legacy.RMSprop,
    "SGD": tf_keras.optimizers.legacy.SGD,
}
_CLIPPING = ("clipnorm", "clipvalue", "global_clipnorm")


def get_optimizer_instance(opt: Any, learning_rate: float | None = None) -> Any:
    """Returns the v1 optimizer for an argument.

    Args:
      opt: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD". Or a `tf.compat.v1.train.Optimizer`. Or a
        callable without arguments that returns an optimizer.
      learning_rate: Learning rate. Used and required only if `opt` is a name.

    Returns:
      A `tf.compat.v1.train.Optimizer`.

    Raises:
      ValueError: If `opt` is none of these, or if it is a name and the learning rate is missing.
    """
    if isinstance(opt, str):
        optimizer_class = _class_of(_V1, opt)
        if not learning_rate:
            raise ValueError(
                f"learning_rate must be specified when opt is string, given: {learning_rate!r}."
            )
        return optimizer_class(learning_rate=learning_rate)
    opt = opt() if callable(opt) else opt
    if not isinstance(opt, tf1.train.Optimizer):
        raise ValueError(
            f"The given object is not an Optimizer instance. Given: {opt}. The v1 API takes "
            "optimizers of tf.compat.v1.train; tf.keras.optimizers belong to the v2 API."
        )
    return opt


def get_optimizer_instance_v2(opt: Any, learning_rate: float | None = None) -> Any:
    """Returns the legacy Keras optimizer for an argument.

    Args:
      opt: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD". Or a
        `tf.keras.optimizers.legacy.Optimizer`. Or a callable without arguments that returns an
        optimizer.
      learning_rate: Learning rate if `opt` is a name. None uses the default of the class.

    Returns:
      A `tf.keras.optimizers.legacy.Optimizer`.

    Raises:
      ValueError: If `opt` is none of these.
    """
    if isinstance(opt, str):
        optimizer_class = _class_of(_V2, opt)
        return optimizer_class(learning_rate=learning_rate) if learning_rate else optimizer_class()
    opt = opt() if callable(opt) else opt
    if isinstance(opt, tf_keras.optimizers.legacy.Optimizer):
        return opt
    if isinstance(opt, tf_keras.optimizers.Optimizer):
        return _as_legacy(opt)
    raise ValueError(
        f"The given object is not a tf.keras.optimizers.Optimizer instance. Given: {opt}. The v2 "
        "API takes optimizers of tf.keras.optimizers.legacy (tf_keras); those of "
        "tf.compat.v1.train belong to the v1 API, those of Keras 3 to neither."
    )


def training_optimizer(opt: Any, learning_rate: float | None = None) -> Any:
    """Returns the legacy Keras optimizer for an argument. It increments the global step.

    Hooks count steps with the global step.

    Args:
      opt: See `get_optimizer_instance_v2`.
      learning_rate: See `get_optimizer_instance_v2`.

    Raises:
      ValueError: See `get_optimizer_instance_v2`.
    """
    optimizer = get_optimizer_instance_v2(opt, learning_rate)
    optimizer.iterations = tf1.train.get_or_create_global_step()
    return optimizer


def prepared(opt: Any) -> Any:
    """Converts an `optimizer` argument so that a model_fn of the v2 API can use it repeatedly.

    Before TensorFlow 2.11, `tf.keras.optimizers.Adam` and the other names meant the legacy
    optimizers. The hyperparameters of a new-style instance can be read only outside of the model's
    graph, so an estimator calls this function in its constructor. In TensorFlow 2.15, training with
    a new-style instance raises ValueError.

    An optimizer belongs to one graph, and each call of a model_fn builds a new graph. Therefore
    each call gets a copy. In TensorFlow 2.15, a second `train` with an instance raises
    RuntimeError.

    Args:
      opt: See `get_optimizer_instance_v2`.

    Returns:
      For an optimizer, a function that returns a copy of it as a legacy optimizer. Any other value
      is returned unchanged.
    """
    if isinstance(opt, tf_keras.optimizers.legacy.Optimizer):
        return functools.partial(copy.deepcopy, opt)
    if isinstance(opt, tf_keras.optimizers.Optimizer) and tf.executing_eagerly():
        return functools.partial(copy.deepcopy, _as_legacy(opt))
    return opt


def _class_of(optimizers: Mapping[str, type], name: str) -> type:
    if name not in optimizers:
        raise ValueError(
            f"Unsupported optimizer name: {name}. Supported names are: {tuple(sorted(optimizers))}"
        )
    return optimizers[name]


def _as_legacy(opt: Any) -> Any:
    """Converts an optimizer to the legacy optimizer of the same class and hyperparameters."""
    kind = type(opt).__name__
    try:
        legacy = getattr(tf_keras.optimizers.legacy, kind)
        config = _hyperparameters(opt, [*legacy().get_config(), *_CLIPPING])
        legacy_optimizer = legacy.from_config({k: v for k, v in config.items() if v is not None})
    except (AttributeError, NotImplementedError, RuntimeError) as error:
        raise ValueError(
            "Please set your optimizer as an instance of `tf.keras.optimizers.legacy.Optimizer`, "
            f"e.g. `tf.keras.optimizers.legacy.{kind}`. Received optimizer type: {type(opt)}."
        ) from error
    tf1.logging.warning("Using tf.keras.optimizers.legacy.%s in place of %s.", kind, type(opt))
    if not tf.executing_eagerly():
        _forget([*opt.variables, opt.learning_rate])
    return legacy_optimizer


def _hyperparameters(opt: Any, names: Iterable[str]) -> dict[str, Any]:
    try:
        config = opt.get_config()
    except (AttributeError, NotImplementedError):
        # The optimizer was created in a graph. Its learning rate is a variable without a value yet.
        config = {name: getattr(opt, name) for name in names if hasattr(opt, name)}
        initial = opt.learning_rate.initial_value
        value = tf.get_static_value(initial)
        config["learning_rate"] = initial if value is None else float(value)
    return {name: config[name] for name in names if name in config}


def _forget(variables: Iterable[Any]) -> None:
    """Removes unused variables from the graph's collection of global variables.

    Otherwise the graph would initialize them, and checkpoints would contain them.
    """
    forgotten = {id(variable) for variable in variables}
    collection = tf1.get_collection_ref(tf1.GraphKeys.GLOBAL_VARIABLES)
    collection[:] = [variable for variable in collection if id(variable) not in forgotten]
