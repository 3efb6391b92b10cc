"""The losses that a user's Keras model computes in its own steps.

    recorder = LossRecorder("--keras_model=my_port:build_model")
    recorder.follow(model)
    loss, result = recorder.loss_of(lambda: model.train_step(data))

A model that computes its loss elsewhere is refused.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from migrate.bridge.errors import BridgeError
from modern.process import chosen_keras
from modern.process.chosen_keras import keras


class LossRecorder:
    """Records the losses of a model. Keras must not save this state with the model.

    Args:
      flag: The flag that named the model, for messages.

    Attributes:
      mean: A metric, the mean of the batch losses.
    """

    def __init__(self, flag: str) -> None:
        self.mean = keras.metrics.Mean(name="mean_of_batches")
        self._flag = flag
        self._local = threading.local()  # Replicas are traced in threads.

    def follow(self, model: keras.Model) -> None:
        """Records each loss of a model, from `compute_loss` and from `compiled_loss`."""
        compute_loss = model.compute_loss
        # Bypasses Keras' __setattr__, which would track the wrappers as parts of the model.
        vars(model)["compute_loss"] = lambda *args, **kwargs: self._record(
            compute_loss(*args, **kwargs)
        )
        if chosen_keras.version() == 2:  # Keras 3 does not have it.
            vars(model)["compiled_loss"] = _RecordingLoss(model.compiled_loss, self._record)

    def _record(self, loss: Any) -> Any:
        self._local.loss = loss
        return loss

    def loss_of(self, step: Callable[[], Any]) -> tuple[Any, Any]:
        """Runs a step.

        Returns:
          The last loss that the step computed, and the result of the step.

        Raises:
          BridgeError: The step computed no loss.
        """
        self._local.loss = None
        result = step()
        if self._local.loss is None:
            raise BridgeError(
                f"{self._flag}: its train_step or test_step calls neither compute_loss nor "
                "compiled_loss, so its loss cannot be followed: compute the loss by one of them."
            )
        return tf.reshape(self._local.loss, []), result


class _RecordingLoss:
    """Wraps a port's compiled_loss and records its results."""

    def __init__(self, compiled_loss: Any, record: Callable[[Any], Any]) -> None:
        self._compiled_loss, self._record = compiled_loss, record

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._record(self._compiled_loss(*args, **kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled_loss, name)
