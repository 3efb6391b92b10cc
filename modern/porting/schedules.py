"""Learning rates that a function computes from the step.

    def learning_rate(global_step):
        return 0.1 * tf.minimum(1.0, tf.cast(global_step, tf.float32) / 100.0)

    optimizer = keras.optimizers.Adam(porting.Schedule(learning_rate))

An Estimator's model_fn computed such rates from its global step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras


class Schedule(keras.optimizers.schedules.LearningRateSchedule):
    """A schedule that calls a function with the number of steps so far."""

    def __init__(self, function: Callable[[tf.Tensor], Any]) -> None:
        """Keeps the function.

        Args:
          function: Returns the rate of a step, which is an integer tensor.
        """
        super().__init__()
        self.function = function

    def __call__(self, step: Any) -> tf.Tensor:
        """Returns the rate of a step."""
        return tf.cast(self.function(tf.convert_to_tensor(step)), tf.float32)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {"function": self.function}
