"""Moving averages of values in a graph.

update = assign_moving_average(moving_mean, mean, decay=0.999)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def assign_moving_average(
    variable: Any, value: tf.Tensor, decay: float, zero_debias: bool = False
) -> Any:
    """Moves a variable towards a value.

    Args:
      variable: The moving average.
      value: The new value, of its shape.
      decay: How much of the old stays.
      zero_debias: Whether to correct for having begun at zero; it makes two variables more, below
        the name of the first: "biased" and "local_step".

    Returns:
      The variable's new value, or the operation that sets it.
    """

    def update(target: Any, value: tf.Tensor) -> Any:
        with tf1.name_scope(None, "AssignMovingAvg", [target, value]) as opened:
            rate = tf.cast(1.0 - decay, target.dtype.base_dtype)
            change = _unbiased if zero_debias else _plain
            return tf1.assign_sub(target, change(target, value, rate), name=opened)

    replica = tf.distribute.get_replica_context()
    if replica is None or not tf.distribute.has_strategy():
        return update(variable, value)

    def merge(strategy: tf.distribute.Strategy, target: Any, value: Any) -> Any:
        mean = strategy.extended.reduce_to(tf.distribute.ReduceOp.MEAN, value, target)
        return strategy.extended.update(target, update, args=(mean,))

    return replica.merge_call(merge, args=(variable, value))


def _plain(target: Any, value: tf.Tensor, rate: tf.Tensor) -> tf.Tensor:
    return (target - value) * rate


def _unbiased(target: Any, value: tf.Tensor, rate: tf.Tensor) -> tf.Tensor:
    with tf1.variable_scope(target.op.name, values=[target, value]):
        zeros = tf1.zeros_initializer()
        biased = tf1.get_variable("biased", value.shape, initializer=zeros, trainable=False)
        step = tf1.get_variable(
            "local_step", [], target.dtype.base_dtype, initializer=zeros, trainable=False
        )
        new_biased = tf1.assign_sub(biased, (biased - value) * rate)
        new_step = tf1.assign_add(step, 1)
        return target - new_biased / (1 - tf.pow(1.0 - rate, new_step))
