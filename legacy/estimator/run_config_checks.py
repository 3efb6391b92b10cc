"""Checks of RunConfig's settings, as observed in TensorFlow 2.15.

>>> check("save_summary_steps", 100)
>>> service({"service": {"name": "mine"}})
{'name': 'mine'}
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments

tf1 = tf.compat.v1

_REPLACEABLE = (
    "model_dir",
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "train_distribute",
    "device_fn",
    "protocol",
    "eval_distribute",
    "experimental_distribute",
    "experimental_max_worker_delay_secs",
    "session_creation_timeout_secs",
    "checkpoint_save_graph_def",
)
_AT_LEAST_ZERO = (
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "keep_checkpoint_max",
)
_ABOVE_ZERO = (
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "session_creation_timeout_secs",
)


def check(name: str, value: Any) -> None:
    """Checks one setting. None is always allowed.

    Args:
      name: The name of an argument of RunConfig.
      value: The argument's value.

    Raises:
      ValueError: The value is wrong.
    """
    if value is None:
        return
    if name == "model_dir" and not value:
        raise ValueError("model_dir should be non-empty.")
    if name in _AT_LEAST_ZERO and value < 0:
        raise ValueError(f"{name} should be >= 0, and is {value}.")
    if name in _ABOVE_ZERO and value <= 0:
        raise ValueError(f"{name} should be > 0, and is {value}.")
    if name == "tf_random_seed" and not isinstance(value, int):
        raise ValueError(f"tf_random_seed must be integer, and is {value!r}.")
    if name == "experimental_max_worker_delay_secs" and not isinstance(value, int):
        raise ValueError(f"{name} must be an integer if set. It is {value!r}.")
    if name == "session_config" and not isinstance(value, tf1.ConfigProto):
        raise ValueError(f"session_config must be instance of ConfigProto, and is {value!r}.")
    if name == "device_fn" and (not callable(value) or arguments.names(value) != ("op",)):
        raise ValueError(f'device_fn must be callable with exactly one argument "op". {value!r}')
    if name == "protocol" and value not in ("grpc", "grpc+verbs"):
        raise ValueError(f"protocol should be grpc or grpc+verbs, and is {value!r}.")


def check_replaceable(names: Iterable[str]) -> None:
    """Checks that `RunConfig.replace` accepts some settings.

    Args:
      names: Names of the settings to replace.

    Raises:
      ValueError: One of the settings cannot be replaced.
    """
    for name in names:
        if name not in _REPLACEABLE:
            raise ValueError(
                f"Replacing {name} is not supported. Allowed properties are {list(_REPLACEABLE)}."
            )


def check_strategies(*strategies: Any) -> None:
    """Checks that no strategy needs eager execution, because Estimator runs sessions.

    Args:
      *strategies: Strategies, or None.

    Raises:
      ValueError: One of them is the ParameterServerStrategy of TensorFlow 2.
    """
    for strategy in strategies:
        if type(strategy) is tf.distribute.experimental.ParameterServerStrategy:
            raise ValueError(
                "Please use `tf.compat.v1.distribute.experimental.ParameterServerStrategy` for "
                f"parameter server strategy with estimator. Given: {strategy!r}"
            )


def service(environment: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns the `service` entry of TF_CONFIG.

    Args:
      environment: The parsed TF_CONFIG.

    Returns:
      The entry, or None.

    Raises:
      TypeError: The entry is not a JSON object.
    """
    entry = environment.get("service")
    if entry is not None and not isinstance(entry, dict):
        raise TypeError(
            f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(entry)}: {entry!r}'
        )
    return entry


def model_dir(argument: Any, environment: Mapping[str, Any]) -> Any:
    """Returns the model's folder from the argument, or else from TF_CONFIG.

    Args:
      argument: RunConfig's `model_dir` argument, a path or None.
      environment: The parsed TF_CONFIG.

    Returns:
      The path, or None.

    Raises:
      ValueError: A path is empty, or the two paths differ.
    """
    argument = path_text(argument)
    if argument is not None and not argument:
        raise ValueError("model_dir should be non-empty.")
    from_environment = environment.get("model_dir")
    if from_environment is not None and not from_environment:
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if argument and from_environment and argument != from_environment:
        raise ValueError(
            "`model_dir` provided in RunConfig construct, if set, must have the same value as the "
            f"model_dir in TF_CONFIG. model_dir: {argument}, TF_CONFIG: {from_environment}."
        )
    if from_environment:
        tf1.logging.info("Using model_dir in TF_CONFIG: %s", from_environment)
    return argument or from_environment


def path_text(path: Any) -> Any:
    """Returns the path of a `PathLike` object as text, and other values unchanged.

    Args:
      path: A path, or None.
    """
    return tf.compat.as_str_any(os.fspath(path)) if isinstance(path, os.PathLike) else path
