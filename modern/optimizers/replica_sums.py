"""Sums of gradients over the replicas that take a step together.

    sums = replica_sums.of(tape.gradient(loss, variables))
    replica_sums.apply(optimizer, sums, variables)

An optimizer computes the same sums. Code that decides something by them, such as loss scaling,
needs them earlier. Call all functions in a replica context.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from modern.optimizers.chosen import Optimizer
from modern.process import chosen_keras

_THREAD = threading.local()


def of(gradients: Sequence[Any]) -> list[Any]:
    """Returns the sums of gradients over all replicas.

    Args:
      gradients: Tensors or IndexedSlices, in the same order on every replica.

    Returns:
      The sums. Under ParameterServerStrategy, all replicas of a worker get the same tensors.
    """
    strategy, replica = tf.distribute.get_strategy(), tf.distribute.get_replica_context()
    if not isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return replica.all_reduce(tf.distribute.ReduceOp.SUM, [*gradients])
    if strategy.num_replicas_in_sync == 1:
        return [*gradients]
    return replica.merge_call(_sum, args=([*gradients],))


def _sum(strategy: tf.distribute.Strategy, gradients: list[Any]) -> list[Any]:
    return [
        strategy.reduce(tf.distribute.ReduceOp.SUM, gradient, axis=None) for gradient in gradients
    ]


def map_sums(function: Callable[[list[Any]], list[Any]], sums: list[Any]) -> list[Any]:
    """Returns `function(sums)`, computed only once for all replicas of a worker.

    Under ParameterServerStrategy, all replicas of a worker then still have the same tensors, as
    `apply` requires.

    Args:
      function: Takes and returns gradients.
      sums: The result of `of` or of this function.
    """
    strategy = tf.distribute.get_strategy()
    uses_servers = isinstance(strategy, tf.distribute.ParameterServerStrategy)
    if not uses_servers or strategy.num_replicas_in_sync == 1:
        return function(sums)
    call_once = tf.autograph.experimental.do_not_convert(lambda _, sums: function(sums))
    return tf.distribute.get_replica_context().merge_call(call_once, args=(sums,))


def apply(
    optimizer: Optimizer,
    sums: Sequence[Any],
    variables: Sequence[tf.Variable],
) -> None:
    """Applies sums of gradients.

    Args:
      optimizer: The optimizer.
      sums: The result of `of` or of `map_sums`.
      variables: The variable of each sum.
    """
    if chosen_keras.version() == 3:
        with _without_sums(optimizer):
            optimizer.apply_gradients(zip(sums, variables, strict=True))
        return
    strategy = tf.distribute.get_strategy()
    # Keras insists on summing under this strategy. TensorFlow takes a tensor that is the same
    # object in all replicas for their sum.
    uses_servers = isinstance(strategy, tf.distribute.ParameterServerStrategy)
    optimizer.apply_gradients(
        zip(sums, variables, strict=True), experimental_aggregate_gradients=uses_servers
    )


@contextlib.contextmanager
def _without_sums(optimizer: Optimizer) -> Iterator[None]:
    """Keeps an optimizer of Keras 3 from summing gradients, for which it has no option.

    The replicas of a process trace in threads of their own, in turn.
    """
    for part in getattr(optimizer, "optimizers", [optimizer]):
        if "_all_reduce_sum_gradients" not in vars(part):
            part._all_reduce_sum_gradients = _sums_unless_given(part._all_reduce_sum_gradients)
    _THREAD.sums_are_given = True
    try:
        yield
    finally:
        _THREAD.sums_are_given = False


def _sums_unless_given(sums: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def of_pairs(pairs: Any) -> Any:
        return [*pairs] if getattr(_THREAD, "sums_are_given", False) else sums(pairs)

    return of_pairs
