"""Layer-wise adaptive rates for large batches: tf.contrib.opt.LARSOptimizer.

optimizer = LARSOptimizer(10.0, skip_list=["batch_normalization", "bias"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class LARSOptimizer(tf1.train.Optimizer):
    """Momentum, with a rate for each variable by its norm and its gradient's (arXiv:1708.03888)."""

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ) -> None:
        """Sets the numbers.

        Args:
          learning_rate: The learning rate, for all variables.
          momentum: The momentum.
          weight_decay: The weight of the variable in its gradient.
          eeta: The ratio of norms that a step is to have.
          epsilon: A small number for stability.
          name: The name of the operations, and of slots.
          skip_list: Parts of names of variables that have `learning_rate` itself, and no decay.
          use_nesterov: Whether the momentum is Nesterov's.

        Raises:
          ValueError: Momentum or decay is below zero.
        """
        for what, value in (("momentum", momentum), ("weight_decay", weight_decay)):
            if value < 0.0:
                raise ValueError(f"{what} should be positive: {value}")
        super().__init__(use_locking=False, name=name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = skip_list
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        def tensor(value: Any, name: str) -> tf.Tensor:
            return tf.convert_to_tensor(value() if callable(value) else value, name=name)

        self._learning_rate_tensor = tensor(self._learning_rate, "learning_rate")
        self._momentum_tensor = tensor(self._momentum, "momentum")

    def compute_lr(self, grad: tf.Tensor, var: Any) -> tuple[Any, tf.Tensor]:
        """Returns the rate of a variable, and its gradient with decay.

        Args:
          grad: The gradient.
          var: The variable.
        """
        if any(part in var.name for part in self._skip_list or ()):
            return self._learning_rate, grad
        norm, grad_norm = tf.norm(var, ord=2), tf.norm(grad, ord=2)
        ratio = self._eeta * norm / (grad_norm + self._weight_decay * norm + self._epsilon)
        ratio = tf.where((norm > 0) & (grad_norm > 0), ratio, 1.0)
        return self._learning_rate * ratio, grad + self._weight_decay * var

    def _apply_dense(self, grad: tf.Tensor, var: Any) -> Any:
        places = {"var": var, "accum": self.get_slot(var, "momentum")}
        return self._update_all(tf.raw_ops.ApplyMomentum, places, grad, var)

    def _resource_apply_dense(self, grad: tf.Tensor, var: Any) -> Any:
        places = {"var": var.handle, "accum": self.get_slot(var, "momentum").handle}
        return self._update_all(tf.raw_ops.ResourceApplyMomentum, places, grad, var)

    def _update_all(self, operation: Any, places: Any, grad: Any, var: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        return operation(
            **places,
            lr=tf.cast(1.0, var.dtype.base_dtype),
            grad=grad * rate,
            momentum=tf.cast(self._momentum_tensor, var.dtype.base_dtype),
            use_nesterov=self._use_nesterov,
        )

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        places = {"var": var, "accum": self.get_slot(var, "momentum")}
        operation = tf.raw_ops.SparseApplyMomentum
        return self._update_rows(operation, places, grad.values, var, grad.indices).op

    def _resource_apply_sparse(self, grad: tf.Tensor, var: Any, indices: tf.Tensor) -> Any:
        places = {"var": var.handle, "accum": self.get_slot(var, "momentum").handle}
        operation = tf.raw_ops.ResourceSparseApplyMomentum
        return self._update_rows(operation, places, grad, var, indices)

    def _update_rows(self, operation: Any, places: Any, grad: Any, var: Any, indices: Any) -> Any:
        # As the original: rows have the momentum alone, not the rate of their variable.
        return operation(
            **places,
            lr=tf.cast(self._learning_rate_tensor, var.dtype.base_dtype),
            grad=grad,
            indices=indices,
            momentum=tf.cast(self._momentum_tensor, var.dtype.base_dtype),
            use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        )
