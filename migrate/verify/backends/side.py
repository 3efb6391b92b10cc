"""A port to Keras 3 with the backend JAX or torch, as `recording` needs it.

side = Side(build_model, params)
side.build(batch)
side.gradients(batch)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import keras
import numpy as np

from migrate import keras_models
from migrate.verify.sides import weight_names

# Attributes of Keras' layers that hold the rate of a dropout.
_RATES = ("rate", "dropout", "recurrent_dropout")


class Side:
    """A model under the backend of this process. A batch is (x, y, sample_weight), of arrays.

    Args:
      build_model: Function that returns the compiled model, or class of models.
      params: Params for a function that takes them.
    """

    def __init__(self, build_model: Callable[..., Any], params: Any) -> None:
        self.model = keras_models.build(build_model, params, "--modern")

    def build(self, batch: Any) -> None:
        """Creates the weights with a first batch, and switches dropout off."""
        self.model(batch[0], training=False)
        self._weights = weight_names.of_keras3(self.model)
        _switch_dropout_off(self.model)

    @property
    def trainable(self) -> set[str]:
        """Names of the weights that training changes by gradients."""
        return {name for name, weight in self._weights.items() if weight.trainable}

    def assign(self, values: Mapping[str, np.ndarray]) -> None:
        """Assigns values to weights by name."""
        for name, value in values.items():
            self._weights[name].assign(value)

    def read(self) -> dict[str, np.ndarray]:
        """Returns all weights by name."""
        return {name: _array(weight) for name, weight in self._weights.items()}

    def call(self, batch: Any, training: bool) -> Any:
        """Returns the model's outputs."""
        return self.model(batch[0], training=training)

    def loss(self, batch: Any, training: bool) -> tuple[float, float]:
        """Returns the loss with regularization, and its part in `model.losses`."""
        total = self._total(batch, training)
        return float(_array(total)), float(sum(_array(part) for part in self.model.losses))

    def _total(self, batch: Any, training: bool) -> Any:
        x, y, weight = (_tensors(part) for part in batch)
        outputs = self.model(x, training=training)
        return self.model.compute_loss(x, y, outputs, weight, training=training)

    def gradients(self, batch: Any) -> dict[str, np.ndarray | None]:
        """Returns the gradients of the training loss by weight, of all that are trained."""
        trained = {name: self._weights[name] for name in sorted(self.trainable)}
        of = _gradients_of_jax if keras.config.backend() == "jax" else _gradients_of_torch
        found = of(lambda: self._total(batch, True), [*trained.values()])
        return dict(zip(trained, found, strict=True))

    def step(self, batch: Any) -> float | None:
        """Takes one training step as `fit` does, and returns the reported loss, if any."""
        x, y, weight = batch
        logs = self.model.train_on_batch(x, y, weight, return_dict=True)
        return float(logs["loss"]) if "loss" in logs else None

    def evaluate(self, items: Sequence[Any]) -> dict[str, float]:
        """Returns the metrics over all batches, as `evaluate` reports them."""
        packed = (keras.utils.pack_x_y_sample_weight(*batch) for batch in items)
        logs = self.model.evaluate(packed, steps=len(items), verbose=0, return_dict=True)
        return {name: float(value) for name, value in logs.items()}


def _gradients_of_jax(total: Callable[[], Any], weights: Sequence[Any]) -> list[np.ndarray | None]:
    import jax

    def of_values(values: list[Any]) -> Any:
        # The scope also holds the updates of moving averages, which the gradients do not need.
        with keras.StatelessScope(state_mapping=list(zip(weights, values, strict=True))):
            return total()

    return [np.asarray(g) for g in jax.grad(of_values)([weight.value for weight in weights])]


def _gradients_of_torch(
    total: Callable[[], Any], weights: Sequence[Any]
) -> list[np.ndarray | None]:
    for weight in weights:
        weight.value.grad = None
    total().backward()
    gradients = [weight.value.grad for weight in weights]
    return [None if gradient is None else _array(gradient) for gradient in gradients]


def _switch_dropout_off(part: Any, seen: set[int] | None = None) -> None:
    """Sets the rates of all dropout in a model to zero. Call it before the first training step."""
    seen = set() if seen is None else seen
    if id(part) in seen:
        return
    seen.add(id(part))
    if isinstance(part, keras.layers.Layer):
        # A layer of the program's own may mean something else by these names.
        names = _RATES if type(part).__module__.startswith("keras.") else ()
        for name in names:
            if isinstance(vars(part).get(name), float):
                setattr(part, name, 0.0)
        part = [*vars(part).values()]
    if isinstance(part, Mapping):
        part = [*part.values()]
    if isinstance(part, (list, tuple)):
        for inner in part:
            if isinstance(inner, (keras.layers.Layer, list, tuple, Mapping)):
                _switch_dropout_off(inner, seen)


def _tensors(structure: Any) -> Any:
    if structure is None:
        return None
    return keras.tree.map_structure(keras.ops.convert_to_tensor, structure)


def _array(tensor: Any) -> np.ndarray:
    return np.asarray(keras.ops.convert_to_numpy(tensor))
