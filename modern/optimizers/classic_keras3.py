"""Optimizers of Keras 3 that compute as optimizers of Estimators do, with each backend.

    optimizer = classic_keras3.Momentum(schedule, momentum=0.9)

SGD of Keras folds the learning rate into its momentum, so a schedule acts later. Its Adam corrects
the bias of its first steps, and the optimizer of BERT does not. The slots here hold the values of
the old slots in a checkpoint.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from modern.optimizers import keras3
from modern.process.chosen_keras import keras

_register = keras.saving.register_keras_serializable(package="modern.optimizers")


@_register
class Momentum(keras3.Optimizer):
    """tf.compat.v1.train.MomentumOptimizer. The slot sums gradients without the learning rate.

    A gradient of some rows of a table updates the slots of those rows alone, as in tf.train.

    Args:
      learning_rate: The learning rate, a number or a schedule.
      momentum: The factor of the sum of earlier gradients.
      name: The name of the optimizer.
    """

    HYPER = ("momentum",)
    UPDATE = staticmethod(tf.raw_ops.ResourceApplyMomentum)
    UPDATE_ROWS = staticmethod(tf.raw_ops.ResourceSparseApplyMomentum)

    def __init__(
        self, learning_rate: Any = 0.01, momentum: float = 0.9, name: str = "Momentum"
    ) -> None:
        super().__init__(learning_rate, name, momentum=momentum)

    def initial_slots(self) -> Mapping[str, float]:
        """See `keras3.Optimizer`."""
        return {"momentum": 0.0}

    def arguments(self, variable: tf.Variable) -> dict[str, tf.Tensor]:
        """See `keras3.Optimizer`."""
        return {
            "accum": self.slot(variable, "momentum").value.handle,
            "momentum": tf.cast(self.momentum, variable.dtype),
        }

    def update_whole(self, gradient: Any, variable: Any, rate: Any) -> None:
        """See `keras3.Optimizer`."""
        accumulated = self.slot(variable, "momentum")
        self.assign(accumulated, self.momentum * accumulated + gradient)
        self.assign_sub(variable, rate * accumulated)


@_register
class AdamWeightDecay(keras.optimizers.Optimizer):
    """The AdamWeightDecayOptimizer of google-research/bert.

    It does not correct the bias of its first steps, and decays weights apart from the gradients.
    The learning rate scales the decay.

    Args:
      learning_rate: The learning rate, a number or a schedule.
      weight_decay: The factor of the decay, which the learning rate multiplies.
      beta_1: The decay of the mean of gradients.
      beta_2: The decay of the mean of their squares.
      epsilon: A number added to the root of the mean square.
      not_decayed: Regular expressions. A variable does not decay if one of them is found in its
        path, such as "bert/embeddings/LayerNorm/gamma". Keras' own `exclude_from_weight_decay`
        searches only the last part of it.
      name: The name of the optimizer.
      **kwargs: As for `keras.optimizers.Optimizer`, such as `global_clipnorm`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float = 0.01,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-6,
        not_decayed: Sequence[str] = ("LayerNorm", "layer_norm", "bias"),
        name: str = "AdamWeightDecay",
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, weight_decay=weight_decay, name=name, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.not_decayed = [*not_decayed]

    def build(self, variables: Sequence[Any]) -> None:
        """Creates the slots of variables."""
        if self.built:
            return
        kept = [v for v in variables if any(re.search(e, v.path) for e in self.not_decayed)]
        self.exclude_from_weight_decay(var_list=kept)
        super().build(variables)
        self.m, self.v = self.add_optimizer_variables(variables, ["m", "v"])

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable. The base class has clipped the gradient and decayed the weight."""
        ops = keras.ops
        index = self._get_variable_index(variable)
        m, v = self.m[index], self.v[index]
        # Rows of a table become a whole gradient, as tf.multiply made them.
        gradient = ops.cast(ops.convert_to_tensor(gradient), variable.dtype)
        rate = ops.cast(learning_rate, variable.dtype)
        self.assign(m, self.beta_1 * m + (1.0 - self.beta_1) * gradient)
        self.assign(v, self.beta_2 * v + (1.0 - self.beta_2) * ops.square(gradient))
        self.assign_sub(variable, rate * m / (ops.sqrt(v) + self.epsilon))

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        return super().get_config() | {
            "beta_1": self.beta_1,
            "beta_2": self.beta_2,
            "epsilon": self.epsilon,
            "not_decayed": self.not_decayed,
        }
