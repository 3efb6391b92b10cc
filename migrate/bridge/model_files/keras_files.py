"""Support for Keras' own files: the config of a bridged model, and its optimizers' state.

model.save("model.keras")
tf_keras.models.load_model("model.keras")
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tf_keras

from migrate.bridge import inputs, tpu_params
from migrate.bridge.graphs.calling import PREDICT


class InKerasFiles(tf_keras.Model):
    """Base class of `KerasModelFn` with the methods that Keras calls to save and load."""

    def save_own_variables(self, store: Any) -> None:
        """Stores the optimizers' state too, which Keras leaves out for legacy optimizers."""
        super().save_own_variables(store)
        for index, weight in enumerate(self._optimizer_weights()):
            store[f"optimizer_{index}"] = weight.numpy()

    def load_own_variables(self, store: Any) -> None:
        """Loads the values that `save_own_variables` stored."""
        stored = {key: store[key] for key in [*store.keys()]}
        ours = {key: value for key, value in stored.items() if key.startswith("optimizer_")}
        super().load_own_variables({k: value for k, value in stored.items() if k not in ours})
        for index, weight in enumerate(self._optimizer_weights()):
            if f"optimizer_{index}" in ours:
                weight.assign(ours[f"optimizer_{index}"])

    def _optimizer_weights(self) -> list[tf.Variable]:
        return getattr(self._optimizers.keras, "weights", [])

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the model. Its model_fn must be importable by name."""
        return {
            "model_fn": inputs.import_name(self.model_fn),
            "params": tpu_params.encoded(self.params),
            "unknown_hooks": self._unknown_hooks,
            "name": self.name,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Creates the model from its config, and imports the module of the model_fn."""
        del custom_objects
        others = {key: config[key] for key in ("unknown_hooks", "name")}
        params = tpu_params.decoded(config["params"])
        return cls(inputs.imported(config["model_fn"]), params=params, **others)

    def get_build_config(self) -> dict[str, Any]:
        """Returns the specs of the features and labels, and the modes that were built."""
        return {"specs": inputs.encoded(self._specs), "modes": [*self._blueprints]}

    def build_from_config(self, config: dict[str, Any]) -> None:
        """Creates the variables for a loaded model."""
        features, labels = inputs.decoded(config["specs"])
        for mode in config["modes"]:
            self._build(mode, features, None if mode == PREDICT else labels)
