"""Optimizers of Keras 3 that compute like the legacy optimizers of tf_keras.

    optimizer = keras3.Adagrad(0.1)

A gradient of some rows of a table (`tf.IndexedSlices`) updates those rows alone. The steps of
several workers of ParameterServerStrategy are all counted.

With the backends JAX and torch, gradients are whole. There, a row of a table is updated if its
gradient is not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from modern.optimizers import summed_rows
from modern.process import chosen_keras
from modern.process.chosen_keras import keras


def count_every_step(optimizer: keras.optimizers.Optimizer) -> None:
    """Makes an optimizer count the steps of several workers of ParameterServerStrategy."""
    counter = optimizer.iterations

    def add(value: Any) -> tf.Tensor:
        # Keras reads and then writes. Between the two, another worker may write.
        return counter.value.assign_add(tf.cast(value, counter.value.dtype))

    counter.assign_add = add


class Optimizer(keras.optimizers.Optimizer):
    """Base class, which creates the slots and counts the steps.

    Attributes:
      HYPER: The names of the hyperparameters, which are attributes.
      UPDATE: The operation of TensorFlow that updates a variable.
      UPDATE_ROWS: The one that updates some rows of it.
      CHANGES_ALL_ROWS: Whether `UPDATE` would change a row whose gradient is zero.
    """

    HYPER: tuple[str, ...] = ()
    UPDATE: Callable[..., Any]
    UPDATE_ROWS: Callable[..., Any]
    CHANGES_ALL_ROWS = True

    def __init__(self, learning_rate: Any, name: str | None, **hyper: Any) -> None:
        super().__init__(learning_rate=learning_rate, name=name)
        for key in self.HYPER:
            setattr(self, key, hyper[key])
        if chosen_keras.is_on_tensorflow():
            count_every_step(self)

    def initial_slots(self) -> Mapping[str, float]:
        """Returns the name and the first value of each slot."""
        return {}

    def build(self, variables: Sequence[Any]) -> None:
        """Creates the slots of variables."""
        if self.built:
            return
        super().build(variables)
        self.slots = {
            name: [
                self.add_variable_from_reference(
                    variable, name, initializer=keras.initializers.Constant(value)
                )
                for variable in variables
            ]
            for name, value in self.initial_slots().items()
        }

    def slot(self, variable: Any, name: str) -> Any:
        """Returns a slot of a variable, as a variable of Keras."""
        return self.slots[name][self._get_variable_index(variable)]

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable, on its device."""
        if not chosen_keras.is_on_tensorflow():
            self._update_elsewhere(gradient, variable, learning_rate)
            return
        arguments = {
            "var": variable.handle,
            "lr": tf.cast(learning_rate, variable.dtype),
            **self.arguments(variable),
        }
        if isinstance(gradient, tf.IndexedSlices):
            rows = summed_rows.summed(gradient)
            self.UPDATE_ROWS(grad=rows.values, indices=rows.indices, **arguments)
        else:
            self.UPDATE(grad=gradient, **arguments)

    def arguments(self, variable: tf.Variable) -> dict[str, tf.Tensor]:
        """Returns the slots and hyperparameters that the operations take for a variable."""
        return {}

    def _update_elsewhere(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable of JAX or torch."""
        gradient = keras.ops.cast(gradient, variable.dtype)
        rate = keras.ops.cast(learning_rate, variable.dtype)
        if not self.CHANGES_ALL_ROWS or not getattr(variable, "is_table", False):
            self.update_whole(gradient, variable, rate)
            return
        changed = [variable, *(self.slot(variable, name) for name in self.initial_slots())]
        # Copies, because torch writes new values into the same memory.
        before = [keras.ops.copy(one) for one in changed]
        self.update_whole(gradient, variable, rate)
        is_used = keras.ops.any(gradient != 0, axis=-1, keepdims=True)
        for one, value in zip(changed, before, strict=True):
            after = keras.ops.convert_to_tensor(one)
            self.assign(one, keras.ops.where(is_used, after, value))

    def update_whole(self, gradient: Any, variable: Any, rate: Any) -> None:
        """Updates a variable as `UPDATE` does, with a backend other than TensorFlow."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        config = super().get_config()
        return {
            "name": config["name"],
            "learning_rate": config["learning_rate"],
            **{key: getattr(self, key) for key in self.HYPER},
        }


class SGD(Optimizer):
    """Gradient descent, with momentum if it is not zero.

    Args:
      learning_rate: The learning rate, a number or a schedule.
      momentum: The factor of the last update.
      name: The name of the optimizer.
    """

    HYPER = ("momentum",)
    UPDATE = staticmethod(tf.raw_ops.ResourceApplyKerasMomentum)
    UPDATE_ROWS = staticmethod(tf.raw_ops.ResourceSparseApplyKerasMomentum)

    def __init__(
        self, learning_rate: Any = 0.01, momentum: float = 0.0, name: str | None = None
    ) -> None:
        super().__init__(learning_rate, name, momentum=momentum)

    def initial_slots(self) -> Mapping[str, float]:
        """See `Optimizer`."""
        return {"momentum": 0.0} if self.momentum else {}

    def update_step(self, gradient: Any, variable: tf.Variable, learning_rate: Any) -> None:
        """See `Optimizer`."""
        if self.momentum or not chosen_keras.is_on_tensorflow():
            super().update_step(gradient, variable, learning_rate)
            return
        rate = tf.cast(learning_rate, variable.dtype)
        if isinstance(gradient, tf.IndexedSlices):
            tf.raw_ops.ResourceScatterAdd(
                resource=variable.handle, indices=gradient.indices, updates=-gradient.values * rate
            )
        else:
            tf.raw_ops.ResourceApplyGradientDescent(var=variable.handle, alpha=rate, delta=gradient)

    def arguments(self, variable: tf.Variable) -> dict[str, tf.Tensor]:
        """See `Optimizer`."""
        return {
            "accum": self.slot(variable, "momentum").value.handle,
            "momentum": tf.cast(self.momentum, variable.dtype),
        }

    def update_whole(self, gradient: Any, variable: Any, rate: Any) -> None:
        """See `Optimizer`."""
        step = -rate * gradient
        if self.momentum:
            step += self.momentum * self.slot(variable, "momentum")
            self.assign(self.slot(variable, "momentum"), step)
        self.assign_add(variable, step)


class Adagrad(Optimizer):
    """Adagrad, whose rate of a weight falls with the sum of its squared gradients.

    Args:
      learning_rate: The learning rate, a number or a schedule.
      initial_accumulator_value: The first value of the sums.
      epsilon: A number added to the root of a sum.
      name: The name of the optimizer.
    """

    HYPER = ("initial_accumulator_value", "epsilon")
    CHANGES_ALL_ROWS = False
    UPDATE = staticmethod(tf.raw_ops.ResourceApplyAdagradV2)
    UPDATE_ROWS = staticmethod(tf.raw_ops.ResourceSparseApplyAdagradV2)

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        name: str | None = None,
    ) -> None:
        super().__init__(
            learning_rate,
            name,
            initial_accumulator_value=initial_accumulator_value,
            epsilon=epsilon,
        )

    def initial_slots(self) -> Mapping[str, float]:
        """See `Optimizer`."""
        return {"accumulator": self.initial_accumulator_value}

    def arguments(self, variable: tf.Variable) -> dict[str, tf.Tensor]:
        """See `Optimizer`."""
        return {
            "accum": self.slot(variable, "accumulator").value.handle,
            "epsilon": tf.cast(self.epsilon, variable.dtype),
        }

    def update_whole(self, gradient: Any, variable: Any, rate: Any) -> None:
        """See `Optimizer`."""
        accumulator = self.slot(variable, "accumulator")
        self.assign_add(accumulator, keras.ops.square(gradient))
        self.assign_sub(variable, rate * gradient / (keras.ops.sqrt(accumulator) + self.epsilon))


class Ftrl(Optimizer):
    """Follow The Regularized Leader, which keeps rare weights at zero.

    Args:
      learning_rate: The learning rate, a number or a schedule.
      learning_rate_power: The power to which the rate falls, zero or less.
      initial_accumulator_value: The first value of the sums of squared gradients.
      l1_regularization_strength: The strength of the L1 penalty.
      l2_regularization_strength: The strength of the L2 penalty.
      name: The name of the optimizer.
    """

    HYPER = (
        "learning_rate_power",
        "initial_accumulator_value",
        "l1_regularization_strength",
        "l2_regularization_strength",
    )
    UPDATE = staticmethod(tf.raw_ops.ResourceApplyFtrl)
    UPDATE_ROWS = staticmethod(tf.raw_ops.ResourceSparseApplyFtrl)

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        name: str | None = None,
    ) -> None:
        super().__init__(
            learning_rate,
            name,
            learning_rate_power=learning_rate_power,
            initial_accumulator_value=initial_accumulator_value,
            l1_regularization_strength=l1_regularization_strength,
            l2_regularization_strength=l2_regularization_strength,
        )

    def initial_slots(self) -> Mapping[str, float]:
        """See `Optimizer`."""
        return {"accumulator": self.initial_accumulator_value, "linear": 0.0}

    def arguments(self, variable: tf.Variable) -> dict[str, tf.Tensor]:
        """See `Optimizer`."""
        return {
            "accum": self.slot(variable, "accumulator").value.handle,
            "linear": self.slot(variable, "linear").value.handle,
            "l1": tf.cast(self.l1_regularization_strength, variable.dtype),
            "l2": tf.cast(self.l2_regularization_strength, variable.dtype),
            "lr_power": tf.cast(self.learning_rate_power, variable.dtype),
        }

    def update_whole(self, gradient: Any, variable: Any, rate: Any) -> None:
        """See `Optimizer`."""
        accumulator, linear = self.slot(variable, "accumulator"), self.slot(variable, "linear")
        l1, l2 = self.l1_regularization_strength, self.l2_regularization_strength
        old = self._power(accumulator)
        self.assign_add(accumulator, keras.ops.square(gradient))
        new = self._power(accumulator)
        self.assign_add(linear, gradient - (new - old) / rate * variable)
        excess = keras.ops.clip(linear, -l1, l1) - linear
        self.assign(variable, excess / (new / rate + 2.0 * l2))

    def _power(self, accumulator: Any) -> Any:
        if self.learning_rate_power == -0.5:
            return keras.ops.sqrt(accumulator)
        return keras.ops.power(accumulator, -self.learning_rate_power)


class ByLayer(keras.optimizers.Optimizer):
    """Delegates each variable to the optimizer of its layer, as `combined.ByLayer` does.

    Args:
      optimizers: Optimizers by the name of the layer, which is part of a variable's path. For
        example, "wide" for the variable "wide/bias". Also by the scope of layers: Keras 3 has no
        layer "dnn/logits", so "dnn" is for "dnn_logits/bias".
      name: The name of this optimizer.
    """

    def __init__(self, optimizers: Mapping[str, Optimizer], name: str = "ByLayer") -> None:
        super().__init__(learning_rate=0.0, name=name)  # Each optimizer has its own.
        self.by_layer = dict(optimizers)
        self._layers: list[str] = []

    @property
    def optimizers(self) -> list[Optimizer]:
        """The optimizers of the layers."""
        return [*self.by_layer.values()]

    @property
    def iterations(self) -> Any:
        """The number of steps, from the first optimizer. All optimizers take every step."""
        return self.optimizers[0].iterations

    @property
    def variables(self) -> list[Any]:
        """The variables of all optimizers, which JAX passes from step to step."""
        inner = [variable for optimizer in self.optimizers for variable in optimizer.variables]
        return [*super().variables, *inner]

    def save_own_variables(self, store: Any) -> None:
        """Saves the step and the rate of the base class. Each optimizer saves its own variables."""
        for index, variable in enumerate(super().variables):
            store[str(index)] = keras.ops.convert_to_numpy(variable)

    def load_own_variables(self, store: Any) -> None:
        """Loads nothing, because no step uses these variables."""

    def build(self, variables: Sequence[Any]) -> None:
        """Creates the slots of variables."""
        if self.built:
            return
        super().build(variables)
        # Keras would take variables in an attribute for some of the optimizer.
        self._layers = [self._layer_of(variable) for variable in variables]
        for layer, optimizer in self.by_layer.items():
            optimizer.build([v for v in variables if self._layer_of(v) == layer])

    def apply(self, grads: Sequence[Any], trainable_variables: Sequence[Any] | None = None) -> None:
        """Applies the gradients of each layer with the optimizer of that layer.

        Args:
          grads: The gradients.
          trainable_variables: The variable of each gradient. By default, those of `build`.

        Raises:
          ValueError: A variable belongs to no optimizer.
        """
        if trainable_variables is None:
            layers = self._layers
        else:
            layers = [self._layer_of(variable) for variable in trainable_variables]
        for layer, optimizer in self.by_layer.items():
            places = [place for place, name in enumerate(layers) if name == layer]
            share = trainable_variables and [trainable_variables[place] for place in places]
            optimizer.apply([grads[place] for place in places], share)

    def _layer_of(self, variable: Any) -> str:
        # In a Sequential model, the name of the model comes first.
        parts = variable.path.split("/")
        for part in parts:
            if part in self.by_layer:
                return part
        for part in parts:
            scopes = [name for name in self.by_layer if part.startswith(f"{name}_")]
            if scopes:
                return max(scopes, key=len)
        raise ValueError(
            f"{variable.path} belongs to no optimizer. There is one for each of the layers "
            f"{', '.join(self.by_layer)}."
        )

    def get_config(self) -> dict[str, Any]:
        """Returns the configurations of the optimizers, by layer."""
        parts = {
            layer: keras.optimizers.serialize(optimizer)
            for layer, optimizer in self.by_layer.items()
        }
        return {"name": self.name, "optimizers": parts}
