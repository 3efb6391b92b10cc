"""tf_keras optimizers that compute exactly as v1 optimizers do, where the stock ones differ.

    optimizer = classic.Momentum(learning_rate=0.1, momentum=0.9)

Stock tf_keras SGD folds the learning rate into its momentum, so a schedule acts differently. Stock
RMSprop starts with zeros, and without momentum adds epsilon outside of the root. Stock AdamW scales
the decay by the learning rate. Stock proximal and lazy optimizers do not exist. The slots here hold
the values of the v1 slots in a checkpoint.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tf_keras


def _register(cls: type) -> type:
    # Files of earlier versions name the package in which these classes were.
    tf_keras.utils.get_custom_objects()[f"migrate.bridge>{cls.__name__}"] = cls
    return tf_keras.utils.register_keras_serializable(package="modern.optimizers")(cls)


def _values(optimizer: Any, var: tf.Variable, apply_state: Any) -> dict[str, tf.Tensor]:
    """Returns the hyperparameters at the current step, in the type of a variable."""
    key = (var.device, var.dtype.base_dtype)
    return (apply_state or {}).get(key) or optimizer._fallback_apply_state(*key)


class _Optimizer(tf_keras.optimizers.legacy.Optimizer):
    """Base class that creates, saves and reads the hyperparameters by their names.

    Attributes:
      HYPER: Names of the hyperparameters that are numbers, without the learning rate.
    """

    HYPER: tuple[str, ...] = ()

    def __init__(self, learning_rate: Any, name: str, **kwargs: Any) -> None:
        numbers = {key: kwargs.pop(key) for key in self.HYPER}
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        for key, value in numbers.items():
            self._set_hyper(key, value)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        names = ("learning_rate", *self.HYPER)
        return super().get_config() | {name: self._serialize_hyperparameter(name) for name in names}

    def _prepare_local(self, device: str, dtype: tf.DType, apply_state: Any) -> None:
        super()._prepare_local(device, dtype, apply_state)
        for name in self.HYPER:
            apply_state[device, dtype][name] = tf.identity(self._get_hyper(name, dtype))


@_register
class Momentum(_Optimizer):
    """tf.compat.v1.train.MomentumOptimizer. The slot sums gradients without the learning rate.

    Args:
      learning_rate: Learning rate in any form that Keras accepts.
      momentum: Factor of the sum of earlier gradients.
      use_nesterov: If true, looks ahead by Nesterov's method as v1 does.
      name: Name of the optimizer.
    """

    HYPER = ("momentum",)

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.9,
        use_nesterov: bool = False,
        name: str = "Momentum",
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, name, momentum=momentum, **kwargs)
        self.use_nesterov = use_nesterov

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        return super().get_config() | {"use_nesterov": self.use_nesterov}

    def _create_slots(self, var_list: list[tf.Variable]) -> None:
        for var in var_list:
            self.add_slot(var, "momentum")

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        values = _values(self, var, apply_state)
        return tf.raw_ops.ResourceApplyMomentum(
            var=var.handle,
            accum=self.get_slot(var, "momentum").handle,
            lr=values["lr_t"],
            grad=grad,
            momentum=values["momentum"],
            use_locking=self._use_locking,
            use_nesterov=self.use_nesterov,
        )

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        values = _values(self, var, apply_state)
        return tf.raw_ops.ResourceSparseApplyMomentum(
            var=var.handle,
            accum=self.get_slot(var, "momentum").handle,
            lr=values["lr_t"],
            grad=grad,
            indices=indices,
            momentum=values["momentum"],
            use_locking=self._use_locking,
            use_nesterov=self.use_nesterov,
        )


@_register
class RMSProp(_Optimizer):
    """tf.compat.v1.train.RMSPropOptimizer. Starts with ones, and adds epsilon within the root.

    Args:
      learning_rate: Learning rate in any form that Keras accepts.
      decay_rate: Decay of the mean square. Keras calls it rho.
      momentum: Momentum factor.
      epsilon: Number added to the mean square.
      centered: If true, divides by the root of the variance instead of the mean square.
      name: Name of the optimizer.
    """

    HYPER = ("decay_rate", "momentum", "epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        decay_rate: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        centered: bool = False,
        name: str = "RMSProp",
        **kwargs: Any,
    ) -> None:
        numbers = {"decay_rate": decay_rate, "momentum": momentum, "epsilon": epsilon}
        super().__init__(learning_rate, name, **numbers, **kwargs)
        self.centered = centered

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        return super().get_config() | {"centered": self.centered}

    def _create_slots(self, var_list: list[tf.Variable]) -> None:
        for var in var_list:
            self.add_slot(var, "rms", "ones")
            if self.centered:
                self.add_slot(var, "mg")
            self.add_slot(var, "momentum")

    def _arguments(self, grad: Any, var: Any, apply_state: Any) -> dict[str, Any]:
        values = _values(self, var, apply_state)
        slots = {
            "var": var.handle,
            "ms": self.get_slot(var, "rms").handle,
            "mom": self.get_slot(var, "momentum").handle,
        }
        if self.centered:
            slots["mg"] = self.get_slot(var, "mg").handle
        return slots | {
            "lr": values["lr_t"],
            "rho": values["decay_rate"],
            "momentum": values["momentum"],
            "epsilon": values["epsilon"],
            "grad": grad,
            "use_locking": self._use_locking,
        }

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        ops = tf.raw_ops
        apply = ops.ResourceApplyCenteredRMSProp if self.centered else ops.ResourceApplyRMSProp
        return apply(**self._arguments(grad, var, apply_state))

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        ops = tf.raw_ops
        centered, plain = ops.ResourceSparseApplyCenteredRMSProp, ops.ResourceSparseApplyRMSProp
        apply = centered if self.centered else plain
        return apply(indices=indices, **self._arguments(grad, var, apply_state))


@_register
class ProximalGradientDescent(_Optimizer):
    """tf.compat.v1.train.ProximalGradientDescentOptimizer: SGD, then shrinking by l1 and l2.

    Args:
      learning_rate: Learning rate in any form that Keras accepts.
      l1: Strength of the L1 regularization.
      l2: Strength of the L2 regularization.
      name: Name of the optimizer.
    """

    HYPER = ("l1", "l2")

    def __init__(
        self,
        learning_rate: Any = 0.01,
        l1: float = 0.0,
        l2: float = 0.0,
        name: str = "ProximalGradientDescent",
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, name, l1=l1, l2=l2, **kwargs)

    def _create_slots(self, var_list: list[tf.Variable]) -> None:
        """Creates no slots, because the optimizer needs none."""

    def _arguments(self, grad: Any, var: Any, apply_state: Any) -> dict[str, Any]:
        values = _values(self, var, apply_state)
        return {
            "var": var.handle,
            "alpha": values["lr_t"],
            "l1": values["l1"],
            "l2": values["l2"],
            "use_locking": self._use_locking,
        }

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        arguments = self._arguments(grad, var, apply_state)
        return tf.raw_ops.ResourceApplyProximalGradientDescent(delta=grad, **arguments)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        return tf.raw_ops.ResourceSparseApplyProximalGradientDescent(
            grad=grad, indices=indices, **self._arguments(grad, var, apply_state)
        )


@_register
class ProximalAdagrad(_Optimizer):
    """tf.compat.v1.train.ProximalAdagradOptimizer: Adagrad, then shrinking by l1 and l2.

    Args:
      learning_rate: Learning rate in any form that Keras accepts.
      initial_accumulator_value: Initial value of the slot. Positive.
      l1: Strength of the L1 regularization.
      l2: Strength of the L2 regularization.
      name: Name of the optimizer.
    """

    HYPER = ("l1", "l2")

    def __init__(
        self,
        learning_rate: Any = 0.01,
        initial_accumulator_value: float = 0.1,
        l1: float = 0.0,
        l2: float = 0.0,
        name: str = "ProximalAdagrad",
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, name, l1=l1, l2=l2, **kwargs)
        self.initial_accumulator_value = initial_accumulator_value

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        return super().get_config() | {"initial_accumulator_value": self.initial_accumulator_value}

    def _create_slots(self, var_list: list[tf.Variable]) -> None:
        start = tf_keras.initializers.Constant(self.initial_accumulator_value)
        for var in var_list:
            self.add_slot(var, "accumulator", start)

    def _arguments(self, grad: Any, var: Any, apply_state: Any) -> dict[str, Any]:
        values = _values(self, var, apply_state)
        return {
            "var": var.handle,
            "accum": self.get_slot(var, "accumulator").handle,
            "lr": values["lr_t"],
            "l1": values["l1"],
            "l2": values["l2"],
            "grad": grad,
            "use_locking": self._use_locking,
        }

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        arguments = self._arguments(grad, var, apply_state)
        return tf.raw_ops.ResourceApplyProximalAdagrad(**arguments)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        return tf.raw_ops.ResourceSparseApplyProximalAdagrad(
            indices=indices, **self._arguments(grad, var, apply_state)
        )


@_register
class LazyAdam(tf_keras.optimizers.legacy.Adam):
    """tf.contrib.opt.LazyAdamOptimizer: Adam that updates only the rows of a sparse gradient.

    Args:
      learning_rate: Learning rate in any form that Keras accepts.
      beta_1: Decay of the mean of gradients.
      beta_2: Decay of the mean of their squares.
      epsilon: Number added to the root of the mean square.
      name: Name of the optimizer.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        name: str = "LazyAdam",
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name=name, **kwargs)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        values = _values(self, var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = values["beta_1_t"] * tf.gather(m, indices)
        m_rows += values["one_minus_beta_1_t"] * grad
        v_rows = values["beta_2_t"] * tf.gather(v, indices)
        v_rows += values["one_minus_beta_2_t"] * tf.square(grad)
        step = values["lr"] * m_rows / (tf.sqrt(v_rows) + values["epsilon"])
        ops = tf.raw_ops
        return tf.group(
            ops.ResourceScatterUpdate(resource=m.handle, indices=indices, updates=m_rows),
            ops.ResourceScatterUpdate(resource=v.handle, indices=indices, updates=v_rows),
            ops.ResourceScatterSub(resource=var.handle, indices=indices, updates=step),
        )


@_register
class AdamW(tf_keras.optimizers.legacy.Adam):
    """tf.contrib.opt.AdamWOptimizer: subtracts a fraction of each variable before Adam's update.

    The learning rate does not scale the fraction. If a gradient is sparse, only its rows decay.

    Args:
      weight_decay: Fraction of a variable to subtract.
      learning_rate: Learning rate in any form that Keras accepts.
      beta_1: Decay of the mean of gradients.
      beta_2: Decay of the mean of their squares.
      epsilon: Number added to the root of the mean square.
      name: Name of the optimizer.
    """

    def __init__(
        self,
        weight_decay: float,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        name: str = "AdamW",
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name=name, **kwargs)
        self._set_hyper("weight_decay", weight_decay)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the optimizer."""
        weight_decay = self._serialize_hyperparameter("weight_decay")
        return super().get_config() | {"weight_decay": weight_decay}

    def _prepare_local(self, device: str, dtype: tf.DType, apply_state: Any) -> None:
        super()._prepare_local(device, dtype, apply_state)
        weight_decay = tf.identity(self._get_hyper("weight_decay", dtype))
        apply_state[device, dtype]["weight_decay"] = weight_decay

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        decay = _values(self, var, apply_state)["weight_decay"]
        with tf.control_dependencies([grad]):
            decayed = var.assign_sub(decay * var, read_value=False)
        with tf.control_dependencies([decayed]):
            return super()._resource_apply_dense(grad, var, apply_state)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        decay = _values(self, var, apply_state)["weight_decay"]
        with tf.control_dependencies([grad]):
            rows = decay * tf.gather(var, indices)
            decayed = tf.raw_ops.ResourceScatterSub(
                resource=var.handle, indices=indices, updates=rows
            )
        with tf.control_dependencies([decayed]):
            return super()._resource_apply_sparse(grad, var, indices, apply_state)
