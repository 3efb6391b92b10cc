"""What depends on the kind of model in a training: its steps, its variables, its files.

>>> import tf_keras
>>> model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
>>> model.compile("sgd", "mse")
>>> Kind().step(model)
0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf
import tf_keras

from modern import checkpoints, fitting, restoring, signatures
from modern.step_callbacks import SaveCheckpoints

MakeData = Callable[[], tf.data.Dataset]


class Kind:
    """Of Keras models; another kind is a subclass.

    Attributes:
      saves: the callback that saves checkpoints.
    """

    saves: type[SaveCheckpoints] = SaveCheckpoints

    def step(self, model: tf_keras.Model) -> int:
        """Returns the steps that a model has been trained for."""
        return fitting.steps_of(model)

    def latest(self, model_dir: str) -> str | None:
        """Returns the path of the latest checkpoint; None where there is none."""
        return checkpoints.latest(model_dir)

    def build(self, model: tf_keras.Model, data: tf.data.Dataset, training: bool) -> None:
        """Makes the variables for such data, and restores them where that waits for it."""
        step = model.train_step if training else model.test_step
        restoring.prepare(model, step, data.element_spec)

    def results(self, model: tf_keras.Model) -> dict[str, Any]:
        """Returns the metrics of an evaluation that this process has made batch by batch."""
        return model.get_metrics_result()

    def load(self, model: tf_keras.Model, path: str) -> int | None:
        """Gives a model the weights of a checkpoint, and the step that it returns.

        None where the checkpoint has been deleted.
        """
        step = checkpoints.restore_for_evaluation(model, path)
        if step is not None:
            model.optimizer.iterations.assign(step)
        return step

    def export(self, model: tf_keras.Model, folder: str, serving: Callable[..., Any]) -> bytes:
        """Exports a model into a new folder of a folder; returns its path."""
        return signatures.export(model, folder, serving)
