"""Optimizers of tf.contrib.opt with weight decay outside of the loss (arXiv:1711.05101).

optimizer = AdamWOptimizer(weight_decay=1e-4, learning_rate=1e-3)
AdagradW = extend_with_decoupled_weight_decay(tf.compat.v1.train.AdagradOptimizer)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib.framework.variables import is_one_of

tf1 = tf.compat.v1


class DecoupledWeightDecayExtension:
    """Mixin that adds weight decay to an optimizer.

    Before each update, it subtracts a fraction of the variable. If the gradient is sparse, only the
    updated rows decay.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        """Initializes the optimizer.

        Args:
          weight_decay: Fraction of a variable to subtract: a number, a tensor, or a function that
            returns one of them.
          **kwargs: Keyword arguments of the optimizer.
        """
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        self._decay_var_list: list[Any] = []
        super().__init__(**kwargs)

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = tf1.train.Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
        decay_var_list: Iterable[tf.Variable] | None = None,
    ) -> Any:
        """Returns an operation that runs a training step.

        See `tf.compat.v1.train.Optimizer.minimize`.

        Args:
          loss: Loss to minimize.
          global_step: Global step variable to increment, or None.
          var_list: Variables to train. The default is all trainable variables.
          gate_gradients: See `compute_gradients`.
          aggregation_method: See `compute_gradients`.
          colocate_gradients_with_ops: See `compute_gradients`.
          name: Name of the operation.
          grad_loss: See `compute_gradients`.
          decay_var_list: Unused. As in the original, all variables decay. Only
            `apply_gradients` can choose the variables.
        """
        del decay_var_list
        return super().minimize(
            loss,
            global_step=global_step,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            name=name,
            grad_loss=grad_loss,
        )

    def apply_gradients(
        self,
        grads_and_vars: Any,
        global_step: Any = None,
        name: str | None = None,
        decay_var_list: Iterable[tf.Variable] | None = None,
    ) -> Any:
        """Returns an operation that updates the variables.

        Args:
          grads_and_vars: (gradient, variable) pairs.
          global_step: Global step variable to increment, or None.
          name: Name of the operation.
          decay_var_list: Variables that decay. The default is all variables.
        """
        self._decay_var_list = list(decay_var_list or [])
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self) -> None:
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = tf.convert_to_tensor(decay, name="weight_decay")
        super()._prepare()

    def _share(self, var: Any) -> tf.Tensor | None:
        """Returns the fraction of a variable to subtract, or None if it does not decay."""
        if self._decay_var_list and not is_one_of(var, self._decay_var_list):
            return None
        return tf.cast(self._weight_decay_tensor, var.dtype.base_dtype)

    # The decay waits for the gradient, so that the gradient never depends on the decayed value.
    # In the original, the order is not defined.
    def _decay_ops(self, grad: tf.Tensor, var: Any) -> list[Any]:
        share = self._share(var)
        if share is None:
            return []
        with tf.control_dependencies([grad]):
            return [tf1.assign_sub(var, share * var, use_locking=self._use_locking)]

    def _decayed_rows(self, grad: tf.Tensor, var: Any, indices: tf.Tensor) -> list[Any]:
        share = self._share(var)
        if share is None:
            return []
        with tf.control_dependencies([grad]):
            rows = share * tf.gather(var, indices)
            return [tf1.scatter_sub(var, indices, rows, use_locking=self._use_locking)]

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies(self._decay_ops(grad, var)):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies(self._decay_ops(grad, var)):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies(self._decayed_rows(grad.values, var, grad.indices)):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        with tf.control_dependencies(self._decayed_rows(grad, var, indices)):
            return super()._resource_apply_sparse(grad, var, indices)


def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """Returns a subclass of an optimizer class that adds weight decay.

    Args:
      base_optimizer: Subclass of `tf.compat.v1.train.Optimizer`.

    Returns:
      A class whose first argument is `weight_decay`. The other arguments are keyword arguments of
      the base class.
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """Optimizer with weight decay."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, tf1.train.MomentumOptimizer):
    """Momentum optimizer with weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        """Initializes the optimizer.

        Args:
          weight_decay: Fraction of a variable to subtract before each update.
          learning_rate: Learning rate.
          momentum: Momentum.
          use_locking: If true, uses locks for the updates of variables.
          name: Name of the operations and of the slots.
          use_nesterov: If true, uses Nesterov momentum.
        """
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            momentum=momentum,
            use_locking=use_locking,
            name=name,
            use_nesterov=use_nesterov,
        )


class AdamWOptimizer(DecoupledWeightDecayExtension, tf1.train.AdamOptimizer):
    """Adam optimizer with weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:
        """Initializes the optimizer.

        Args:
          weight_decay: Fraction of a variable to subtract before each update.
          learning_rate: Learning rate.
          beta1: Decay of the mean of gradients.
          beta2: Decay of the mean of squared gradients.
          epsilon: Small constant for numerical stability.
          use_locking: If true, uses locks for the updates of variables.
          name: Name of the operations and of the slots.
        """
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            use_locking=use_locking,
            name=name,
        )
