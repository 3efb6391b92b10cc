"""Variants of Adam from tf.contrib.opt.

    train_op = LazyAdamOptimizer(0.001).minimize(loss, tf.compat.v1.train.get_global_step())

LazyAdam and Nadam have the slots of Adam, so that each can restore the checkpoints of the others.
AdaMax has its own slots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class _SparseAdam(tf1.train.AdamOptimizer):
    """Adam with a separate update for sparse gradients."""

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._update_rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._update_rows(grad, var, indices)

    def _update_rows(self, grad: tf.Tensor, var: Any, indices: tf.Tensor) -> Any:
        raise NotImplementedError

    def _numbers(self, var: Any) -> tuple[Any, ...]:
        """Returns the learning rate, beta1, beta2 and epsilon, cast to the type of a variable."""
        numbers = (self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return tuple(tf.cast(number, var.dtype.base_dtype) for number in numbers)

    def _corrected_rate(self, var: Any) -> tf.Tensor:
        """Returns the learning rate with a correction for the initial zeros of m and v."""
        dtype = var.dtype.base_dtype
        power1, power2 = (tf.cast(power, dtype) for power in self._get_beta_accumulators())
        return tf.cast(self._lr_t, dtype) * tf.sqrt(1 - power2) / (1 - power1)


class LazyAdamOptimizer(_SparseAdam):
    """Adam that updates only the rows of a sparse gradient.

    Adam itself updates all rows by their moving averages, which is slow for large tables.
    """

    def _update_rows(self, grad: tf.Tensor, var: Any, indices: tf.Tensor) -> Any:
        _, beta1, beta2, epsilon = self._numbers(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = beta1 * tf.gather(m, indices) + (1 - beta1) * grad
        v_rows = beta2 * tf.gather(v, indices) + (1 - beta2) * tf.square(grad)
        step = self._corrected_rate(var) * m_rows / (tf.sqrt(v_rows) + epsilon)
        locking = self._use_locking
        return tf.group(
            tf1.scatter_update(m, indices, m_rows, use_locking=locking),
            tf1.scatter_update(v, indices, v_rows, use_locking=locking),
            tf1.scatter_sub(var, indices, step, use_locking=locking),
        )


class NadamOptimizer(_SparseAdam):
    """Adam with Nesterov momentum."""

    def _apply_dense(self, grad: tf.Tensor, var: Any) -> Any:
        places = {"var": var, "m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}
        return self._nesterov(tf.raw_ops.ApplyAdam, places, grad, var).op

    def _resource_apply_dense(self, grad: tf.Tensor, var: Any) -> Any:
        places = {"var": var, "m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}
        places = {name: place.handle for name, place in places.items()}
        return self._nesterov(tf.raw_ops.ResourceApplyAdam, places, grad, var)

    def _nesterov(self, operation: Callable[..., Any], places: Any, grad: Any, var: Any) -> Any:
        rate, beta1, beta2, epsilon = self._numbers(var)
        power1, power2 = self._get_beta_accumulators()
        return operation(
            **places,
            beta1_power=tf.cast(power1, var.dtype.base_dtype),
            beta2_power=tf.cast(power2, var.dtype.base_dtype),
            lr=rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            grad=grad,
            use_locking=self._use_locking,
            use_nesterov=True,
        )

    def _update_rows(self, grad: tf.Tensor, var: Any, indices: tf.Tensor) -> Any:
        _, beta1, beta2, epsilon = self._numbers(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_part, v_part = grad * (1 - beta1), grad * grad * (1 - beta2)
        m_rows = self._decayed_and_added(m, beta1, indices, m_part)
        v_rows = self._decayed_and_added(v, beta2, indices, v_part)
        step = self._corrected_rate(var) * (m_part + beta1 * m_rows) / (tf.sqrt(v_rows) + epsilon)
        return tf1.scatter_sub(var, indices, step, use_locking=self._use_locking)

    def _decayed_and_added(self, slot: Any, decay: Any, indices: Any, values: Any) -> tf.Tensor:
        """Decays all rows, adds values to some rows, and returns the new values of these rows."""
        decay_op = tf1.assign(slot, slot * decay, use_locking=self._use_locking)
        with tf.control_dependencies([decay_op]):
            add_op = tf1.scatter_add(slot, indices, values, use_locking=self._use_locking)
        # For a resource variable, the result of `scatter_add` can be read before the addition is
        # complete.
        with tf.control_dependencies([add_op]):
            return tf.gather(slot, indices)


class AdaMaxOptimizer(_SparseAdam):
    """Adam that divides by the largest gradient, with decay, instead of the root mean square."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ) -> None:
        """Initializes the optimizer.

        Args:
          learning_rate: Learning rate.
          beta1: Decay of the mean of gradients.
          beta2: Decay of the largest gradient.
          epsilon: Small constant for numerical stability.
          use_locking: If true, uses locks for the updates of variables.
          name: Name of the operations and of the slots.
        """
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    # AdaMax has no accumulator of beta2.
    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power", graph=tf1.get_default_graph())

    def _create_slots(self, var_list: Any) -> None:
        # The first variable by name is the same on all workers. They must agree on the device of
        # the accumulator, which they share.
        first_variable = min(var_list, key=lambda var: var.name)
        self._create_non_slot_variable(self._beta1, "beta1_power", colocate_with=first_variable)
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _apply_dense(self, grad: tf.Tensor, var: Any) -> Any:
        places = {"var": var, "m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}
        return self._update_all(tf.raw_ops.ApplyAdaMax, places, grad, var).op

    def _resource_apply_dense(self, grad: tf.Tensor, var: Any) -> Any:
        places = {"var": var, "m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}
        places = {name: place.handle for name, place in places.items()}
        return self._update_all(tf.raw_ops.ResourceApplyAdaMax, places, grad, var)

    def _update_all(self, operation: Callable[..., Any], places: Any, grad: Any, var: Any) -> Any:
        rate, beta1, beta2, epsilon = self._numbers(var)
        return operation(
            **places,
            beta1_power=tf.cast(self._get_beta_accumulators(), var.dtype.base_dtype),
            lr=rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            grad=grad,
            use_locking=self._use_locking,
        )

    def _update_rows(self, grad: tf.Tensor, var: Any, indices: tf.Tensor) -> Any:
        rate, beta1, beta2, epsilon = self._numbers(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = tf.gather(m, indices) * beta1 + grad * (1 - beta1)
        v_rows = tf.maximum(tf.gather(v, indices) * beta2, tf.abs(grad))
        power = tf.cast(self._get_beta_accumulators(), var.dtype.base_dtype)
        step = rate / (1 - power) * (m_rows / (v_rows + epsilon))
        locking = self._use_locking
        return tf.group(
            tf1.scatter_update(m, indices, m_rows, use_locking=locking),
            tf1.scatter_update(v, indices, v_rows, use_locking=locking),
            tf1.scatter_sub(var, indices, step, use_locking=locking),
        )

    def _finish(self, update_ops: Any, name_scope: str) -> Any:
        with tf.control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with tf1.colocate_with(power):
                decay_op = tf1.assign(power, power * self._beta1_t, use_locking=self._use_locking)
        return tf.group(*update_ops, decay_op, name=name_scope)
