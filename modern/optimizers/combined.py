"""One optimizer for some layers of a model and another for the rest.

>>> import tf_keras
>>> from modern.optimizers import combined
>>> optimizer = combined.ByLayer(
...     {
...         "wide": tf_keras.optimizers.legacy.Ftrl(0.1),
...         "deep": tf_keras.optimizers.legacy.Adagrad(0.1),
...     }
... )

A canned DNNLinearCombined estimator took a linear_optimizer and a dnn_optimizer; `Model.fit` takes
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf
import tf_keras


class ByLayer(tf_keras.optimizers.legacy.Optimizer):
    """Leaves each variable to the optimizer of the layer that it belongs to.

    Args:
      optimizers: by the beginning of a variable's name, up to a slash: the layer's name.
      name: of this optimizer.
    """

    def __init__(
        self, optimizers: Mapping[str, tf_keras.optimizers.legacy.Optimizer], name: str = "ByLayer"
    ) -> None:
        super().__init__(name)
        self._optimizers = dict(optimizers)
        for layer, optimizer in self._optimizers.items():
            # As Keras' own wrappers do it; there is no public way to save an optimizer's optimizer.
            self._track_trackable(optimizer, layer)
        self._track_trackable(self.iterations, "iter")

    @property
    def optimizers(self) -> list[tf_keras.optimizers.legacy.Optimizer]:
        """Those that the variables are left to."""
        return [*self._optimizers.values()]

    @property
    def iterations(self) -> tf.Variable:
        """The number of steps: that of the first optimizer, as all of them take each step."""
        return next(iter(self._optimizers.values())).iterations

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[tf.Tensor, tf.Variable]],
        name: str | None = None,
        experimental_aggregate_gradients: bool = True,
    ) -> tf.Operation:
        """Has each optimizer take its step.

        Args:
          grads_and_vars: pairs of a gradient and its variable.
          name: of the operations.
          experimental_aggregate_gradients: as in Keras: False where they are summed up already.

        Returns:
          An operation that does all of it.

        Raises:
          ValueError: a variable belongs to no optimizer.
        """
        shares: dict[str, list[Any]] = {layer: [] for layer in self._optimizers}
        for gradient, variable in grads_and_vars:
            layer = variable.name.partition("/")[0]
            if layer not in shares:
                raise ValueError(
                    f"{variable.name} belongs to no optimizer; there is one for each of the "
                    f"layers {', '.join(shares)}."
                )
            shares[layer].append((gradient, variable))
        steps = [
            self._optimizers[layer].apply_gradients(
                share, name, experimental_aggregate_gradients=experimental_aggregate_gradients
            )
            for layer, share in shares.items()
        ]
        return tf.group(*steps)

    def get_config(self) -> dict[str, Any]:
        """The optimizers as configurations, by layer."""
        parts = {
            layer: tf_keras.optimizers.serialize(optimizer)
            for layer, optimizer in self._optimizers.items()
        }
        return {"name": self._name, "optimizers": parts}
