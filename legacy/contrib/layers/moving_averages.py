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
    """Updates a moving average with a new value.

    Args:
      variable: Variable that holds the moving average.
      value: New value, with the shape of the variable.
      decay: Factor of the old value.
      zero_debias: If true, corrects the bias towards the initial value of zero. This creates the
        variables "biased" and "local_step" in the scope of the variable's name.

    Returns:
      The new value of the variable, or the operation that updates it.
    """

    def update(target: Any, value: tf.Tensor) -> Any:
        with tf1.name_scope(None, "AssignMovingAvg", [target, value]) as scope_name:
            rate = tf.cast(1.0 - decay, target.dtype.base_dtype)
            change = _unbiased_average if zero_debias else _plain
            return tf1.assign_sub(target, change(target, value, rate), name=scope_name)

    replica = tf.distribute.get_replica_context()
    if replica is None or not tf.distribute.has_strategy():
        return update(variable, value)

    def merge(strategy: tf.distribute.Strategy, target: Any, value: Any) -> Any:
        # All copies of the variable move towards the mean value of the replicas.
        mean = strategy.extended.reduce_to(tf.distribute.ReduceOp.MEAN, value, target)
        return strategy.extended.update(target, update, args=(mean,))

    return replica.merge_call(merge, args=(variable, value))


def _plain(target: Any, value: tf.Tensor, rate: tf.Tensor) -> tf.Tensor:
    return (target - value) * rate


def _unbiased_average(target: Any, value: tf.Tensor, rate: tf.Tensor) -> tf.Tensor:
    with tf1.variable_scope(target.op.name, values=[target, value]):
        zeros = tf1.zeros_initializer()
        biased = tf1.get_variable("biased", value.shape, initializer=zeros, trainable=False)
        step = tf1.get_variable(
            "local_step", [], target.dtype.base_dtype, initializer=zeros, trainable=False
        )
        new_biased = tf1.assign_sub(biased, (biased - value) * rate)
        new_step = tf1.assign_add(step, 1)
        # After n steps, the initial zero still has the weight decay ** n.
        return target - new_biased / (1 - tf.pow(1.0 - rate, new_step))
