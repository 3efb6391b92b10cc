"""Support for Keras' own files: the config of a bridged model, and its optimizers' state.

model.save("model.keras")
tf_keras.models.load_model("model.keras", safe_mode=False)

The file names the model_fn. `safe_mode=False` allows the import of its module.
"""

from __future__ import annotations

import sys
from typing import Any

import tensorflow as tf
import tf_keras
from tf_keras.src.saving import serialization_lib

from migrate.bridge import function_references, inputs, tpu_params
from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs.calling import PREDICT
from modern.process import foreign_files


class InKerasFiles(tf_keras.Model):
    """Base class of `KerasModelFn` with the methods that Keras calls to save and load."""

    def save_own_variables(self, store: Any) -> None:
        """Stores the optimizers' state too, which Keras leaves out for legacy optimizers."""
        super().save_own_variables(store)
        for index, weight in enumerate(self._optimizer_weights()):
            store[f"optimizer_{index}"] = weight.numpy()

    def load_own_variables(self, store: Any) -> None:
        """Loads the values that `save_own_variables` stored."""
        values = {key: store[key] for key in [*store.keys()]}
        optimizer_values = {
            key: value for key, value in values.items() if key.startswith("optimizer_")
        }
        super().load_own_variables(
            {k: value for k, value in values.items() if k not in optimizer_values}
        )
        for index, weight in enumerate(self._optimizer_weights()):
            if f"optimizer_{index}" in optimizer_values:
                weight.assign(optimizer_values[f"optimizer_{index}"])

    def _optimizer_weights(self) -> list[tf.Variable]:
        return getattr(self._optimizers.keras, "weights", [])

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the model. Its model_fn must be importable by name."""
        return {
            "model_fn": function_references.import_name(self.model_fn),
            "params": tpu_params.encode(self.params),
            "unknown_hooks": self._unknown_hooks,
            "name": self.name,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Creates the model from its config, and imports the module of the model_fn.

        Raises:
          BridgeError: The program has not imported the module, and `load_model` was not called with
            `safe_mode=False`.
        """
        del custom_objects
        _check_import(str(config["model_fn"]))
        arguments = {key: config[key] for key in ("unknown_hooks", "name")}
        params = tpu_params.decode(config["params"])
        return cls(
            function_references.import_function(config["model_fn"]), params=params, **arguments
        )

    def get_build_config(self) -> dict[str, Any]:
        """Returns the specs of the features and labels, and the modes that were built."""
        return {"specs": inputs.encode(self._specs), "modes": [*self._blueprints]}

    def build_from_config(self, config: dict[str, Any]) -> None:
        """Creates the variables for a loaded model."""
        features, labels = inputs.decode(config["specs"])
        for mode in config["modes"]:
            self._build(mode, features, None if mode == PREDICT else labels)


def _check_import(name: str) -> None:
    """Refuses to import a module because a file names it, unless the caller allows that."""
    module = name.partition(":")[0]
    if module in sys.modules or serialization_lib.in_safe_mode() is False:
        return
    module_text = foreign_files.one_line(module)
    raise BridgeError(
        f"the file names the model_fn {foreign_files.one_line(name)}. To load it, the module "
        f"{module_text} must be imported, which runs its code. If you trust the file, call "
        f"load_model(..., safe_mode=False), or import {module_text} first."
    )
