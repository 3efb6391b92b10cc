"""An optimizer that trains some layers of a model with one optimizer and the rest with another.

>>> import tf_keras
>>> from modern.optimizers import combined
>>> optimizer = combined.ByLayer(
...     {
...         "wide": tf_keras.optimizers.legacy.Ftrl(0.1),
...         "deep": tf_keras.optimizers.legacy.Adagrad(0.1),
...     }
... )

A canned DNNLinearCombined estimator took a linear_optimizer and a dnn_optimizer. `Model.fit` takes
only one optimizer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf
import tf_keras


class ByLayer(tf_keras.optimizers.legacy.Optimizer):
    """Delegates each variable to the optimizer of its layer.

    Args:
      optimizers: Optimizers by the name of the layer, which is the part of a variable's name before
        the first slash. For example, "wide" for the variable "wide/bias".
      name: The name of this optimizer.
    """

    def __init__(
        self, optimizers: Mapping[str, tf_keras.optimizers.legacy.Optimizer], name: str = "ByLayer"
    ) -> None:
        super().__init__(name)
        self._optimizers = dict(optimizers)
        for layer, optimizer in self._optimizers.items():
            # As Keras' own wrappers do. Keras has no public API to save an optimizer's optimizer.
            self._track_trackable(optimizer, layer)
        self._track_trackable(self.iterations, "iter")

    @property
    def optimizers(self) -> list[tf_keras.optimizers.legacy.Optimizer]:
        """The optimizers of the layers."""
        return [*self._optimizers.values()]

    @property
    def iterations(self) -> tf.Variable:
        """The number of steps, from the first optimizer. All optimizers take every step."""
        return next(iter(self._optimizers.values())).iterations

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[tf.Tensor, tf.Variable]],
        name: str | None = None,
        experimental_aggregate_gradients: bool = True,
    ) -> tf.Operation:
        """Applies the gradients of each layer with the optimizer of that layer.

        Args:
          grads_and_vars: Pairs of a gradient and its variable.
          name: The name of the operations.
          experimental_aggregate_gradients: As in Keras: False if the gradients are summed up
            already.

        Returns:
          An operation that groups the updates.

        Raises:
          ValueError: A variable belongs to no optimizer.
        """
        shares: dict[str, list[Any]] = {layer: [] for layer in self._optimizers}
        for gradient, variable in grads_and_vars:
            shares[self._layer_of(variable)].append((gradient, variable))
        steps = [
            self._optimizers[layer].apply_gradients(
                share, name, experimental_aggregate_gradients=experimental_aggregate_gradients
            )
            for layer, share in shares.items()
        ]
        return tf.group(*steps)

    def _create_slots(self, var_list: Iterable[tf.Variable]) -> None:
        for variable in var_list:
            self._optimizers[self._layer_of(variable)]._create_all_weights([variable])

    def _layer_of(self, variable: tf.Variable) -> str:
        layer = variable.name.partition("/")[0]
        if layer not in self._optimizers:
            raise ValueError(
                f"{variable.name} belongs to no optimizer. There is one for each of the layers "
                f"{', '.join(self._optimizers)}."
            )
        return layer

    def get_config(self) -> dict[str, Any]:
        """Returns the configurations of the optimizers, by layer."""
        parts = {
            layer: tf_keras.optimizers.serialize(optimizer)
            for layer, optimizer in self._optimizers.items()
        }
        return {"name": self._name, "optimizers": parts}
