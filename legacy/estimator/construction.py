"""What an Estimator is made from: its configuration, its model function, its device placement.

>>> check_model_fn(lambda features, labels, mode: None, params=None)
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, run_config_checks
from legacy.estimator.cluster import coordination
from legacy.estimator.run_config import RunConfig, default_session_config

tf1 = tf.compat.v1

_MODEL_FN_ARGS = ("features", "labels", "mode", "params", "config", "self")
# What a subclass may define anew, as seen in TensorFlow 2.15.
_OVERRIDABLE = {
    "_create_and_assert_global_step",
    "_export_all_saved_models",
    "_tf_api_names",
    "_tf_api_names_v1",
    "latest_checkpoint",
    "model_fn",
}
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
    """Returns a copy of the config with the model's folder and a session config.

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
    model_dir = run_config_checks.path_text(model_dir)
    if model_dir is not None and config.model_dir not in (None, model_dir):
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. "
            f"In constructor: '{model_dir}', in `RunConfig`: '{config.model_dir}'"
        )
    settings = {}
    if config.session_config is None:
        settings["session_config"] = default_session_config()
    if model_dir:
        settings["model_dir"] = model_dir
    return RunConfig.replace(config, **settings)


def with_folder(config: RunConfig) -> RunConfig:
    """Returns the config, with a temporary folder where it names none.

    Args:
      config: The RunConfig.
    """
    if config.model_dir is not None:
        return config
    model_dir = tempfile.mkdtemp()
    tf1.logging.warning("Using temporary folder as model directory: %s", model_dir)
    return RunConfig.replace(config, model_dir=model_dir)


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
    if params is None and "params" in names:
        tf1.logging.warning(
            "Estimator's model_fn (%s) includes params argument, but params are not passed to "
            "Estimator.",
            model_fn,
        )
    unexpected = [name for name in names if name not in _MODEL_FN_ARGS]
    if unexpected:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {unexpected}")


def check_not_overridden(members_of: type, owner: Any) -> None:
    """Checks that a user's class defines no member of Estimator anew, but for a few.

    Args:
      members_of: Estimator, or EstimatorV2.
      owner: An object of the user's class.

    Raises:
      ValueError: The class does; those that it inherits from are not looked at.
    """
    own = vars(type(owner))
    if type(owner).__name__ == "TPUEstimator":  # It is one of this package.
        return
    members = {name for name in dir(members_of) if not name.startswith("__")} - _OVERRIDABLE
    overridden = [
        name for name in own if name in members and own[name] is not _plain(members_of, name)
    ]
    if overridden:
        raise ValueError(
            "Subclasses of Estimator cannot override members of Estimator. "
            f"{type(owner)} does override {sorted(overridden)}"
        )


def _plain(owner: type, name: str) -> Any:
    return inspect.getattr_static(owner, name)
