"""Makes the original tf.estimator importable again, on today's TensorFlow.

    pip install --no-deps tensorflow-estimator==2.15.0

    from legacy import original

    tf_estimator = original.load()          # the v2 API, as the last wheel has it
    tf_estimator_v1 = original.load("v1")

The last tensorflow-estimator imports four modules and reads one table entry that TensorFlow removed
together with tf.estimator. This file supplies them, as TensorFlow 2.15 had them, and only where
TensorFlow lacks them. To do so, it and `original_training` import from `tensorflow.python`. They
serve programs that need a part that `legacy.estimator` leaves out, and they are the oracle of its
tests. Nothing else needs them.

TPUs are not supported: the TPU classes of the wheel raise `NotImplementedError`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

from legacy import keras_choice, original_training

VERSION = "2.15.0"
PACKAGE = "tensorflow_estimator"
INSTALL = f"pip install --no-deps tensorflow-estimator=={VERSION}"


def load(api: str = "v2") -> types.ModuleType:
    """Imports the original package's public API.

    Args:
      api: "v2" for the former tf.estimator, "v1" for the former tf.compat.v1.estimator.

    Returns:
      The module.

    Raises:
      ImportError: The package is not installed, or not in the version that is supported here.
      ValueError: `api` is unknown.
    """
    if api not in ("v1", "v2"):
        raise ValueError(f"api={api!r}: use 'v1' or 'v2'.")
    check_installed()
    supply()
    return importlib.import_module(f"{PACKAGE}.python.estimator.api._{api}.estimator")


def check_installed() -> None:
    """Raises ImportError, with instructions, if the original package is not installed."""
    if importlib.util.find_spec(PACKAGE) is None:
        raise ImportError(
            f"The original tf.estimator is not installed. Install its last version, which needs "
            f"nothing but TensorFlow, with: {INSTALL}"
        )
    try:
        version = importlib.metadata.version("tensorflow-estimator")
    except importlib.metadata.PackageNotFoundError:
        return  # Its version is unknown without metadata, for example on PYTHONPATH.
    if version != VERSION:
        raise ImportError(
            f"tensorflow-estimator {version} is installed, and only {VERSION} works with "
            f"today's TensorFlow. Replace it with: {INSTALL}"
        )


def supply() -> None:
    """Adds the modules to TensorFlow that the original package imports and TensorFlow removed.

    Safe to call twice. A module that TensorFlow still has is left unchanged.
    """
    keras_choice.use_legacy_keras()
    _supply_export_table()
    for name, make in _MISSING.items():
        if name in sys.modules or importlib.util.find_spec(name) is not None:
            continue
        module = types.ModuleType(name, f"Supplied by {__name__}.")
        module.__dict__.update(make())
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        # The import system binds a submodule in its parent. Here it does not load the module.
        setattr(importlib.import_module(parent), child, module)


def _supply_export_table() -> None:
    from tensorflow.python.util import tf_export

    if hasattr(tf_export, "ESTIMATOR_API_NAME"):
        return
    # The decorator of exported symbols looks up the names of its attributes by the API's name.
    name = tf_export.ESTIMATOR_API_NAME = "estimator"
    attributes = type(tf_export.API_ATTRS[tf_export.TENSORFLOW_API_NAME])
    for table, suffix in ((tf_export.API_ATTRS, ""), (tf_export.API_ATTRS_V1, "_v1")):
        table[name] = attributes(
            f"_estimator_api_names{suffix}", f"_estimator_api_constants{suffix}"
        )


def _placeholders(*names: str) -> Callable[[], dict[str, Any]]:
    """Returns a factory of classes that can be imported but raise NotImplementedError when used."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} drives a TPU, which the original tf.estimator can do with "
            "TensorFlow 2.15 or older only. Set use_tpu=False, or port the job to TPUStrategy."
        )

    return lambda: {name: type(name, (), {"__init__": refuse}) for name in names}


def _tpu_embedding() -> dict[str, Any]:
    optimizers = ("Adagrad", "Adam", "Ftrl", "Momentum", "ProximalAdagrad", "RMSProp")
    names = [f"{optimizer}SlotVariableNames" for optimizer in optimizers]
    names += [f"{name}Parameters" for name in (*optimizers, "StochasticGradientDescent")]
    names += ["EnqueueData", "FeatureConfig", "TableConfig", "TPUEmbedding"]
    return {**_placeholders(*names)(), "TRAINING": "training", "INFERENCE": "inference"}


def _coordinated_training() -> dict[str, Any]:
    """Returns the functions that the package calls in the removed module `estimator_training`."""
    return {
        function.__name__: function
        for function in (
            original_training.init_run_config,
            original_training.should_run_distribute_coordinator,
            original_training.train_and_evaluate,
            original_training.estimator_train,
            original_training.estimator_evaluate,
        )
    }


_MISSING: dict[str, Callable[[], dict[str, Any]]] = {
    "tensorflow.python.distribute.estimator_training": _coordinated_training,
    "tensorflow.python.tpu.tpu_embedding": _tpu_embedding,
    "tensorflow.python.tpu.tpu_embedding_gradient": _placeholders(
        "create_dummy_table_variables",
        "get_gradients_through_dummy_table_variables",
        "hook_dummy_table_variables_to_activations",
    ),
    "tensorflow.python.tpu.session_support": _placeholders(
        "GracefulShutdownHook",
        "ResetComputation",
        "ShutdownAllWorkers",
        "ShutdownLameWorkers",
        "start_worker_watchdog",
    ),
}
