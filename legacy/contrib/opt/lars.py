"""tf.contrib.opt.LARSOptimizer, which adapts the learning rate per layer for large batches.

optimizer = LARSOptimizer(10.0, skip_list=["batch_normalization", "bias"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class LARSOptimizer(tf1.train.Optimizer):
    """Momentum optimizer with layer-wise adaptive learning rates (arXiv:1708.03888).

    The rate of a variable is proportional to the norm of the variable divided by the norm of its
    gradient.
    """

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
        """Initializes the optimizer.

        Args:
          learning_rate: Learning rate of all variables, before scaling.
          momentum: Momentum.
          weight_decay: Factor of the variable that is added to its gradient.
          eeta: Ratio between the norm of a step, before the learning rate, and the norm of the
            variable.
          epsilon: Small constant for numerical stability.
          name: Name of the operations and of the slots.
          skip_list: Substrings of the names of variables that use `learning_rate` without scaling
            and without weight decay.
          use_nesterov: If true, uses Nesterov momentum.

        Raises:
          ValueError: `momentum` or `weight_decay` is negative.
        """
        for argument, value in (("momentum", momentum), ("weight_decay", weight_decay)):
            if value < 0.0:
                raise ValueError(f"{argument} should be positive: {value}")
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
        """Returns the learning rate of a variable, and its gradient with weight decay.

        Args:
          grad: Gradient of the variable.
          var: Variable to update.
        """
        if any(part in var.name for part in self._skip_list or ()):
            return self._learning_rate, grad
        norm, grad_norm = tf.norm(var, ord=2), tf.norm(grad, ord=2)
        ratio = self._eeta * norm / (grad_norm + self._weight_decay * norm + self._epsilon)
        # With a ratio of 0, a variable of zeros would never change.
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
            # The gradient contains the rate, so that the momentum accumulates scaled gradients.
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
        # As in the original, a sparse update uses momentum only, without scaling and weight decay.
        return operation(
            **places,
            lr=tf.cast(self._learning_rate_tensor, var.dtype.base_dtype),
            grad=grad,
            indices=indices,
            momentum=tf.cast(self._momentum_tensor, var.dtype.base_dtype),
            use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        )
