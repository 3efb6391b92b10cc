"""The parts of a new Estimator: its configuration, its model_fn and its device placement.

>>> check_model_fn(lambda features, labels, mode: None, params=None)
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, run_config_checks
from legacy.estimator.cluster import servers
from legacy.estimator.run_config import RunConfig, default_session_config
from modern.process import cli, files

tf1 = tf.compat.v1

_MODEL_FN_ARGS = ("features", "labels", "mode", "params", "config", "self")
# Members that a subclass may override, as observed in TensorFlow 2.15.
_OVERRIDABLE = {
    "_create_and_assert_global_step",
    "_export_all_saved_models",
    "_tf_api_names",
    "_tf_api_names_v1",
    "latest_checkpoint",
    "model_fn",
}
# Op types that `device_setter` places on the ps: variables and hash tables.
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
      config: The user's RunConfig. None means `RunConfig()`.
      model_dir: Estimator's argument of that name, or None.

    Returns:
      The copy. Its `model_dir` is None if neither argument names a folder.

    Raises:
      ValueError: The config is not a RunConfig, or it names another folder than `model_dir`.
      SystemExit: TensorFlow has no file system for the folder (code 2).
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
    config = RunConfig.replace(config, **settings)
    with cli.refusing(cli.UsageError):
        files.check_scheme(config.model_dir or "")
    return config


def with_folder(config: RunConfig) -> RunConfig:
    """Returns the config, with a new temporary folder if it has no `model_dir`.

    Args:
      config: The RunConfig.
    """
    if config.model_dir is not None:
        return config
    model_dir = tempfile.mkdtemp()
    tf1.logging.warning("Using temporary folder as model directory: %s", model_dir)
    return RunConfig.replace(config, model_dir=model_dir)


def device_setter(config: RunConfig) -> Any:
    """Returns the device function that distributes variables over the ps in turn.

    Args:
      config: The RunConfig.

    Returns:
      A device function. None if the cluster has no ps, or if a strategy places the variables.
    """
    if not config.num_ps_replicas or config.train_distribute is not None:
        return None
    return tf1.train.replica_device_setter(
        ps_tasks=config.num_ps_replicas,
        worker_device=servers.device(config),
        merge_devices=True,
        ps_ops=list(_ON_PS),
        cluster=config.cluster_spec,
    )


def check_model_fn(model_fn: Callable[..., Any] | None, params: Any) -> None:
    """Checks the arguments of a model_fn.

    Args:
      model_fn: The function.
      params: Estimator's hyperparameters, or None.

    Raises:
      ValueError: `model_fn` is None, does not take `features`, does not take `params` although
        they are set, or takes an argument that Estimator does not pass.
      TypeError: `model_fn` is not callable.
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
    """Checks that a user's subclass overrides only the members of Estimator that it may.

    Members that the class inherits from other classes are not checked. As in TensorFlow 2.15, any
    class with the name TPUEstimator may override all members. Programs contain such classes: XLNet
    has a copy of TPUEstimator that it changed.

    Args:
      members_of: Estimator or EstimatorV2.
      owner: An instance of the user's class.

    Raises:
      ValueError: The class overrides another member.
    """
    own_members = vars(type(owner))
    if type(owner).__name__ == "TPUEstimator":
        return
    members = {name for name in dir(members_of) if not name.startswith("__")} - _OVERRIDABLE
    overridden = [
        name
        for name in own_members
        if name in members and own_members[name] is not _plain(members_of, name)
    ]
    if overridden:
        raise ValueError(
            "Subclasses of Estimator cannot override members of Estimator. "
            f"{type(owner)} does override {sorted(overridden)}"
        )


def _plain(owner: type, name: str) -> Any:
    return inspect.getattr_static(owner, name)
