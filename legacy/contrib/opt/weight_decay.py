"""Weight decay that is no part of the loss (arXiv:1711.05101): tf.contrib.opt's.

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
    """What gives an optimizer, its other base, weight decay.

    Before each update a share of the variable is taken away; of one whose gradient is sparse, only
    in the rows that are updated.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        """Sets the share.

        Args:
          weight_decay: The share: a number, a tensor, or a function that returns one.
          **kwargs: Arguments of the optimizer.
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
        """Makes the operation that trains a step; see `tf.compat.v1.train.Optimizer.minimize`.

        Args:
          loss: The loss.
          global_step: The variable to count in.
          var_list: What is trained.
          gate_gradients: As in `compute_gradients`.
          aggregation_method: As in `compute_gradients`.
          colocate_gradients_with_ops: As in `compute_gradients`.
          name: The operation's name.
          grad_loss: As in `compute_gradients`.
          decay_var_list: Not used, as in the original, which gives it to `apply_gradients` alone;
            all variables decay.
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
        """Makes the operation that updates variables.

        Args:
          grads_and_vars: Pairs (gradient, variable).
          global_step: The variable to count in.
          name: The operation's name.
          decay_var_list: Which variables decay; None is all.
        """
        self._decay_var_list = list(decay_var_list or [])
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self) -> None:
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = tf.convert_to_tensor(decay, name="weight_decay")
        super()._prepare()

    def _share(self, var: Any) -> tf.Tensor | None:
        """Returns the share of a variable that goes, or None if it does not decay."""
        if self._decay_var_list and not is_one_of(var, self._decay_var_list):
            return None
        return tf.cast(self._weight_decay_tensor, var.dtype.base_dtype)

    # Decay waits for the gradient, which in the original may be computed before it or after.
    def _decayed(self, grad: tf.Tensor, var: Any) -> list[Any]:
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
        with tf.control_dependencies(self._decayed(grad, var)):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies(self._decayed(grad, var)):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies(self._decayed_rows(grad.values, var, grad.indices)):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        with tf.control_dependencies(self._decayed_rows(grad, var, indices)):
            return super()._resource_apply_sparse(grad, var, indices)


def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """Returns a class of optimizers with weight decay.

    Args:
      base_optimizer: A class of `tf.compat.v1.train.Optimizer`.

    Returns:
      The class; its first argument is `weight_decay`, the others, by name, are the base's.
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """An optimizer with weight decay."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, tf1.train.MomentumOptimizer):
    """Momentum with weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        """Sets the numbers.

        Args:
          weight_decay: The share of a variable that goes before each update.
          learning_rate: The learning rate.
          momentum: The momentum.
          use_locking: Whether updates are locked.
          name: The name of the operations, and of slots.
          use_nesterov: Whether the momentum is Nesterov's.
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
    """Adam with weight decay."""

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
        """Sets the numbers.

        Args:
          weight_decay: The share of a variable that goes before each update.
          learning_rate: The learning rate.
          beta1: The decay of the mean of gradients.
          beta2: The decay of the mean of their squares.
          epsilon: A small number for stability.
          use_locking: Whether updates are locked.
          name: The name of the operations, and of slots.
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
