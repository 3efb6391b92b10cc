"""What an Estimator is made from: its configuration, its model function, its device placement.

>>> check_model_fn(lambda features, labels, mode: None, params=None)
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, coordination
from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_MODEL_FN_ARGS = ("features", "labels", "mode", "params", "config", "self")
_ON_PS = (
    "Variable",
    "VariableV2",
    "AutoReloadVariable",
    "MutableHashTable",
    "MutableHashTableV2",
    "MutableHashTableOfTensors",
    "MutableHashTableOfTensorsV2",
    "MutableDenseHashTable",
    "MutableDenseHashTableV2",
    "VarHandleOp",
)


def configured(config: RunConfig | None, model_dir: Any) -> RunConfig:
    """Returns a copy of the config with the model's folder.

    Args:
      config: What the user gave; None is the default.
      model_dir: The folder that the user gave beside it, or None.

    Returns:
      The copy; its folder is None where neither names one.

    Raises:
      ValueError: The config is something else, or names another folder.
    """
    if config is None:
        tf1.logging.info("Using default config.")
        config = RunConfig()
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    model_dir = os.fspath(model_dir) if isinstance(model_dir, os.PathLike) else model_dir
    if model_dir and config.model_dir not in (None, model_dir):
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. "
            f"In constructor: '{model_dir}', in `RunConfig`: '{config.model_dir}'"
        )
    return config.replace(model_dir=model_dir) if model_dir else copy.copy(config)


def device_setter(config: RunConfig) -> Any:
    """Returns what puts variables on the ps in turn.

    Args:
      config: The RunConfig.

    Returns:
      A device function; None where there is no ps, or a strategy places the variables.
    """
    if not config.num_ps_replicas or config.train_distribute is not None:
        return None
    return tf1.train.replica_device_setter(
        ps_tasks=config.num_ps_replicas,
        worker_device=coordination.device(config),
        merge_devices=True,
        ps_ops=list(_ON_PS),
        cluster=config.cluster_spec,
    )


def check_model_fn(model_fn: Callable[..., Any] | None, params: Any) -> None:
    """Checks a model function's arguments.

    Args:
      model_fn: The function.
      params: The hyperparameters that the user gave, or None.

    Raises:
      ValueError: There is none, or it has other arguments than Estimator can pass.
      TypeError: It is not callable.
    """
    if model_fn is None:
        raise ValueError("model_fn must be provided to Estimator.")
    names = arguments.names(model_fn)
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is "
            "passed to Estimator."
        )
    unexpected = [name for name in names if name not in _MODEL_FN_ARGS]
    if unexpected:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {unexpected}")
