"""Keras 3 model on JAX or torch that counts the examples it consumes.

    model = counted_batches.TrainingModel.of(job.build_model(), counters)

With the backend TensorFlow, `counted_model.TrainingModel` counts in its graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from modern.process.chosen_keras import keras
from modern.records import digests
from modern.tasks.counted_model import Counters
from modern.training.batchwise_model import Model


class TrainingModel(Model):
    """Functional model that trains on tagged batches, see `counted_model.tag`.

    Attributes:
      counters: The counters that add up the steps.
      scales_loss: False. Nothing is computed in float16 here.
    """

    scales_loss = False

    def __init__(
        self, inputs: Any, outputs: Any, counters: Counters, name: str | None = None
    ) -> None:
        super().__init__(inputs, outputs, name=name)
        self.counters = counters
        self._count = tf.function(self._count_batch, autograph=False)

    @classmethod
    def of(cls, model: keras.Model, counters: Counters) -> TrainingModel:
        """Wraps a functional or Sequential model. Both share the layers and thus the weights."""
        # With a list of inputs, Keras warns of features that are no list.
        is_sequential = isinstance(model, keras.Sequential)
        inputs = model.inputs[0] if is_sequential else model.input
        return cls(inputs, model.outputs, counters, model.name)

    def train_batch(self, batch: Any) -> dict[str, float]:
        """Trains on one tagged batch, counts it, and returns its loss."""
        features, labels, _ = tf.nest.map_structure(_array, batch)
        logs = self.train_on_batch(features, labels, return_dict=True)
        self._count(batch, tf.constant(logs["loss"], tf.float32))
        return logs

    def _count_batch(self, batch: Any, loss: tf.Tensor) -> None:
        features, labels, replica = batch
        digest = digests.of_batch(features, labels)
        self.counters.add(
            self.counters.of_step(replica[0], tf.shape(labels)[0], loss, digest), steps=1
        )


def _array(tensor: tf.Tensor) -> np.ndarray:
    return tensor.numpy()
