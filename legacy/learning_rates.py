"""A learning rate that decays to zero, added to an unchanged model_fn.

    estimator = tf_estimator.Estimator(
        learning_rates.with_linear_decay(model_fn, train_steps=1000), params={"learning_rate": 0.1}
    )

The counterpart in Keras is `modern.optimizers.schedules.LinearDecay`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from legacy.estimator import arguments


def with_linear_decay(model_fn: Callable[..., Any], train_steps: int) -> Callable[..., Any]:
    """Returns the model_fn with a learning rate that falls linearly to zero.

    Args:
      model_fn: A model_fn that reads its rate from params["learning_rate"], a number.
      train_steps: Global step at which the rate is zero.
    """

    def decayed_model_fn(
        features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any
    ) -> tf_estimator.EstimatorSpec:
        if mode == tf_estimator.ModeKeys.TRAIN:
            step = tf.cast(tf.train.get_or_create_global_step(), tf.float32)
            factor = tf.maximum(1.0 - step / train_steps, 0.0)
            params = {**params, "learning_rate": params["learning_rate"] * factor}
        argument_values = {
            "labels": lambda: labels,
            "mode": lambda: mode,
            "params": lambda: params,
            "config": lambda: config,
        }
        return model_fn(features=features, **arguments.asked_for(model_fn, argument_values))

    return decayed_model_fn
