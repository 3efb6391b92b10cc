"""Learning rates for larger global batches, and their decay.

Goyal et al. 2017 (arXiv:1706.02677): N times the batch needs N times the learning rate, after a
gradual warm-up.

>>> from modern.optimizers import schedules
>>> schedules.scale(0.001, replicas=4)
0.004
>>> warm = schedules.WarmUp(0.004, start=0.001, steps=100)
>>> [round(float(warm(step)), 4) for step in (0, 50, 100, 500)]
[0.001, 0.0025, 0.004, 0.004]
>>> decayed = schedules.LinearDecay(warm, steps=1000)
>>> [round(float(decayed(step)), 4) for step in (0, 100, 500, 1000)]
[0.001, 0.0036, 0.002, 0.0]
"""

from __future__ import annotations

import tensorflow as tf

from modern.process.chosen_keras import keras


def scale(base: float, replicas: int) -> float:
    """Returns the rate by the linear rule. `base` is for the batch of one replica."""
    return base * replicas


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    """Rises linearly from `start` to `after` over `steps` steps, and then follows `after`.

    `after` is a number or a schedule. A schedule is not shifted: the rate rises towards its value
    at the current step.
    """

    def __init__(
        self,
        after: float | keras.optimizers.schedules.LearningRateSchedule,
        start: float,
        steps: int,
    ) -> None:
        super().__init__()
        self._after, self._start, self._steps = after, start, steps

    def __call__(self, step: int | tf.Tensor) -> tf.Tensor:
        """Returns the learning rate at a global step, a float32 scalar."""
        after = tf.cast(self._after(step) if callable(self._after) else self._after, tf.float32)
        fraction = tf.minimum(tf.cast(step, tf.float32) / self._steps, 1.0)
        return self._start + (after - self._start) * fraction

    def get_config(self) -> dict:
        """Returns the arguments of the constructor."""
        return {"after": self._after, "start": self._start, "steps": self._steps}


class LinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    """Multiplies a learning rate by a factor that falls linearly from 1 to 0.

    Args:
      rate: A number or a schedule.
      steps: The global step at which the rate is 0.
    """

    def __init__(
        self, rate: float | keras.optimizers.schedules.LearningRateSchedule, steps: int
    ) -> None:
        super().__init__()
        self._rate, self._steps = rate, steps

    def __call__(self, step: int | tf.Tensor) -> tf.Tensor:
        """Returns the learning rate at a global step, a float32 scalar."""
        rate = tf.cast(self._rate(step) if callable(self._rate) else self._rate, tf.float32)
        return rate * tf.maximum(1.0 - tf.cast(step, tf.float32) / self._steps, 0.0)

    def get_config(self) -> dict:
        """Returns the arguments of the constructor."""
        return {"rate": self._rate, "steps": self._steps}
