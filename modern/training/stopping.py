"""Reasons to end a training before its last step: NaN, and the wishes of callbacks.

A loss of NaN makes all weights NaN in the next update. So the training ends there without another
save, and the last good checkpoint stays the latest.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras, tf_variable


class DivergedError(tf.compat.v1.train.NanLossDuringTrainingError):
    """The loss or a weight is NaN."""

    def __init__(self, step: int, figure: str) -> None:
        super().__init__()
        self._text = (
            f"Model diverged with {figure} = NaN at step {step:,}. The last checkpoint is from "
            "before. A lower learning rate or clipped gradients often help."
        )

    def __str__(self) -> str:
        return self._text


class Stop(Protocol):
    """Protocol of an object that may request the end of a training."""

    def is_due_by_step(self, step: int) -> bool:
        """Returns whether to ask `wishes` at this step. The answer is the same on all workers."""

    def wishes(self, step: int) -> bool:
        """Returns whether it requests the end. The answer may differ between workers."""


def has_nan_weights(model: keras.Model) -> bool:
    """Returns whether any trainable weight of a model is NaN.

    Each weight is checked on the device that holds it. So a parameter server sends one boolean
    instead of the weight.
    """
    if not chosen_keras.is_on_tensorflow():
        weights = [variable.numpy() for variable in model.trainable_variables]
        return any(np.isnan(weight).any() for weight in weights)
    for variable in map(tf_variable, model.trainable_variables):
        for part in getattr(variable, "variables", [variable]):  # A ShardedVariable has several.
            if not part.dtype.is_floating:
                continue
            with tf.device(part.device):
                if bool(tf.reduce_any(tf.math.is_nan(part))):
                    return True
    return False
