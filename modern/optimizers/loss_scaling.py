"""Loss scaling, which keeps float16 gradients from becoming zero, under every strategy.

    scale = LossScale()
    with tf.GradientTape() as tape:
        factor = scale.factor()
        loss = compute_loss()
        scaled = loss * factor
    sums = replica_sums.of(tape.gradient(scaled, variables))
    scale.apply(optimizer, sums, variables, factor)

float16 ends at 6e-8, and many gradients are smaller. So the loss is multiplied by a large factor,
and its gradients are divided by it in float32. If a gradient overflows, the step is skipped and the
factor is halved. After many good steps it is doubled (Micikevicius et al. 2018, arXiv:1710.03740).

`tf_keras.mixed_precision.LossScaleOptimizer` does the same, but refuses ParameterServerStrategy. It
reads the factor twice in a step. Between the two reads, another worker may change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from modern.optimizers import replica_sums
from modern.optimizers.chosen import Optimizer
from modern.process.chosen_keras import tf_variable

# The values of tf_keras' LossScaleOptimizer.
_INITIAL_FACTOR = 2.0**15
_GROWTH_STEPS = 2000
# The product with a loss must fit into float32.
_LARGEST_FACTOR = 2.0**64


class LossScale(tf.__internal__.tracking.AutoTrackable):
    """The factor of the loss, which adapts to the gradients.

    Create it in the strategy's scope. As an attribute of the model it is saved in checkpoints. It
    is not among the model's weights.

    Args:
      initial_factor: The first factor.
      growth_steps: The number of consecutive good steps after which the factor is doubled.
    """

    def __init__(
        self, initial_factor: float = _INITIAL_FACTOR, growth_steps: int = _GROWTH_STEPS
    ) -> None:
        self._growth_steps = growth_steps
        self._factor = tf.Variable(initial_factor, trainable=False, name="loss_scale")
        self._good_steps = tf.Variable(0, trainable=False, name="good_steps", dtype=tf.int64)

    def factor(self) -> tf.Tensor:
        """Returns the factor, a float32 scalar. Call it once in a step, in a replica context."""
        return tf.identity(self._factor)

    def apply(
        self,
        optimizer: Optimizer,
        gradients: Sequence[Any],
        variables: Sequence[tf.Variable],
        factor: tf.Tensor,
    ) -> None:
        """Applies gradients if all are finite, and adapts the factor. Call it in a replica context.

        A skipped step counts among the optimizer's iterations.

        Args:
          optimizer: The optimizer.
          gradients: Gradients of the scaled loss, the result of `replica_sums.of`.
          variables: The variable of each gradient.
          factor: The factor of this step.
        """
        sums = replica_sums.map_sums(
            lambda scaled_gradients: unscaled_gradients(scaled_gradients, factor), [*gradients]
        )
        self.apply_if_finite(optimizer, sums, variables)

    def apply_if_finite(
        self,
        optimizer: Optimizer,
        gradients: Sequence[Any],
        variables: Sequence[tf.Variable],
    ) -> None:
        """Does the same with gradients that are divided by the factor already.

        Args:
          optimizer: The optimizer.
          gradients: Gradients, the result of `replica_sums.of` or `replica_sums.map_sums`.
          variables: The variable of each gradient.
        """

        def apply(gradients: Sequence[Any]) -> None:
            replica_sums.apply(optimizer, gradients, variables)

        def step(strategy: tf.distribute.Strategy, gradients: Sequence[Any]) -> None:
            # TensorFlow allows no merge call of replicas, as in an optimizer, in a branch of a
            # replica. So the branches are made for all replicas together.
            if tf.distribute.in_cross_replica_context():
                call_all = strategy.extended.call_for_each_replica
                finite = strategy.experimental_local_results(call_all(_are_finite, (gradients,)))[0]
            else:
                call_all, finite = _call, _are_finite(gradients)

            def apply_all() -> int:
                call_all(apply, (gradients,))
                return 0

            def skip() -> int:
                for part in getattr(optimizer, "optimizers", [optimizer]):
                    tf_variable(part.iterations).assign_add(1, read_value=False)
                return 0

            tf.cond(finite, apply_all, skip)
            self._adapt(finite)

        tf.__internal__.distribute.interim.maybe_merge_call(
            tf.autograph.experimental.do_not_convert(step),
            tf.distribute.get_strategy(),
            list(gradients),
        )

    def _adapt(self, finite: tf.Tensor) -> None:
        factor, good = tf.identity(self._factor), tf.identity(self._good_steps) + 1
        grows = good >= self._growth_steps
        larger = tf.where(grows, tf.minimum(2 * factor, _LARGEST_FACTOR), factor)
        self._factor.assign(tf.where(finite, larger, tf.maximum(factor / 2, 1.0)))
        self._good_steps.assign(tf.where(tf.logical_and(finite, ~grows), good, 0))


def unscaled_gradients(gradients: Sequence[Any], factor: tf.Tensor) -> list[Any]:
    """Returns gradients divided by the factor, each on its device. None stays None."""
    return [None if gradient is None else _divide(gradient, factor) for gradient in gradients]


def _divide(gradient: Any, factor: tf.Tensor) -> Any:
    # A gradient that was sent to a parameter server must not come back.
    with tf.device(gradient.device):
        if isinstance(gradient, tf.IndexedSlices):
            values = gradient.values / tf.cast(factor, gradient.values.dtype)
            return tf.IndexedSlices(values, gradient.indices, gradient.dense_shape)
        return gradient / tf.cast(factor, gradient.dtype)


def _are_finite(gradients: Sequence[Any]) -> tf.Tensor:
    """Returns whether all gradients are finite, a bool scalar."""
    checks = []
    for gradient in gradients:
        with tf.device(gradient.device):
            dense = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
            checks.append(tf.reduce_all(tf.math.is_finite(dense)))
    return tf.reduce_all(checks)


def _call(function: Any, arguments: tuple[Any, ...]) -> Any:
    return function(*arguments)
