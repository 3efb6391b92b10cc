"""What an Estimator did around its model, for a Keras model; ported programs import it.

    porting.restore(model, "model_dir")
    model.fit(train_data, callbacks=porting.callbacks("model_dir", save_secs=600))
    for prediction in porting.predict(model, data):
        print(prediction["classes"])
    porting.export(model, "export", serving)

The model is any compiled tf_keras.Model. It is saved to MODEL_DIR/checkpoints, with its optimizer
(modern/checkpoints.py). `python -m migrate rewrite --to=modern` writes programs that use this.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from modern import checkpoints, predicting, restoring
from modern.checkpoints import Checkpoints
from modern.signatures import export, parsing, raw

__all__ = [
    "Profile",
    "SaveCheckpoints",
    "StopAtNan",
    "callbacks",
    "export",
    "parsing",
    "predict",
    "raw",
    "restore",
]


def restore(model: tf_keras.Model, model_dir: str | None) -> None:
    """Has a model go on from the latest checkpoint of a folder, where it has one.

    A model whose variables come with its first batch knows its step at once, and takes the other
    values with that batch. The learning rate stays the program's own.

    Args:
      model: compiled.
      model_dir: the folder; None where there is none.

    Raises:
      CheckpointError: the checkpoint is damaged, of another model, or an Estimator's, which is to
        be converted first; at the first batch, where the variables come with that.
    """
    if not model_dir:
        return
    if tf.train.latest_checkpoint(checkpoints.folder(model_dir)):
        restoring.restore(model, model_dir)
    else:
        restoring.refuse_estimators(model, model_dir)


def callbacks(model_dir: str | None = None, **saves: Any) -> list[tf_keras.callbacks.Callback]:
    """Returns what an Estimator does in each training: it saves, and a loss of NaN ends it.

    Args:
      model_dir: the folder; None to save nothing.
      **saves: how often, as `SaveCheckpoints` takes it.
    """
    return [StopAtNan(), *([SaveCheckpoints(model_dir, **saves)] if model_dir else [])]


class StopAtNan(tf_keras.callbacks.Callback):
    """Ends a training whose loss is not a number, as a NanTensorHook; infinity is one.

    Args:
      fails: whether by an error, as NanTensorHook's `fail_on_nan_loss`.
    """

    def __init__(self, fails: bool = True) -> None:
        super().__init__()
        self._fails = fails

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Looks at the loss; its running mean is not a number once the loss is not.

        Raises:
          tf.compat.v1.train.NanLossDuringTrainingError: it is so.
        """
        if not np.isnan((logs or {}).get("loss", 0.0)):
            return
        tf.compat.v1.logging.error("Model diverged with loss = NaN.")
        if self._fails:
            raise tf.compat.v1.train.NanLossDuringTrainingError
        self.model.stop_training = True


class SaveCheckpoints(tf_keras.callbacks.Callback):
    """Saves when an Estimator does: at the start, regularly, at the end.

    At the start only a model is saved whose variables are there.

    Args:
      model_dir: the folder.
      save_steps: after how many steps; RunConfig's `save_checkpoints_steps`.
      save_secs: after how many seconds; RunConfig's `save_checkpoints_secs`. With neither nothing
        is saved, as under a RunConfig that has neither.
      keep: how many checkpoints, the latest ones; None or 0 for all. RunConfig's
        `keep_checkpoint_max`.
    """

    def __init__(
        self,
        model_dir: str,
        save_steps: int | None = None,
        save_secs: float | None = None,
        keep: int | None = 5,
    ) -> None:
        super().__init__()
        saves = save_steps is not None or save_secs is not None
        self._folder = model_dir if saves else None
        self._steps, self._secs, self._keep = save_steps, save_secs, keep or None
        self._step, self._time = -1, 0.0
        self._checkpoints: Checkpoints | None = None

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self._save(self.step())

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves, if it is due."""
        step = self.step()
        by_steps = self._steps is not None and step - self._step >= self._steps
        by_secs = self._secs is not None and time.monotonic() - self._time >= self._secs
        if by_steps or by_secs:
            self._save(step)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self._save(self.step())

    def _save(self, step: int) -> None:
        if self._folder and step != self._step:
            self.write(self._folder, self._keep)
        self._step, self._time = step, time.monotonic()

    def step(self) -> int:
        """The steps that the model has been trained for."""
        return int(self.model.optimizer.iterations.numpy())

    def write(self, folder: str, keep: int | None) -> None:
        """Writes a checkpoint, and removes old ones.

        Args:
          folder: the training's.
          keep: how many are to stay; None for all.
        """
        if not self.model.built:
            return  # There is nothing to save; what is restored later is in its own checkpoint.
        if self._checkpoints is None:
            self._checkpoints = Checkpoints(self.model, folder, keep)
        self._checkpoints.save()


class Profile(tf_keras.callbacks.Callback):
    """Profiles a step now and then, as a ProfilerHook did; TensorBoard's profiler shows it.

    The first step is left out, in which TensorFlow makes its graphs.

    Args:
      folder: where the profiles go, below plugins/profile.
      every_steps: after how many steps.
      every_secs: after how many seconds.
    """

    def __init__(
        self, folder: str, every_steps: int | None = None, every_secs: float | None = None
    ) -> None:
        super().__init__()
        self._folder, self._steps, self._secs = folder, every_steps, every_secs
        self._done, self._runs = 0, False
        self._last: tuple[int, float] | None = None

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Begins, if it is due."""
        self._runs = self._done > 0 and self._is_due(time.monotonic())
        if self._runs:
            self._last = self._done, time.monotonic()
            tf.profiler.experimental.start(self._folder)

    def _is_due(self, now: float) -> bool:
        if self._last is None:
            return True
        step, begun = self._last
        by_steps = self._steps is not None and self._done - step >= self._steps
        return by_steps or (self._secs is not None and now - begun >= self._secs)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes the profile of this step."""
        self._done += 1
        if self._runs:
            tf.profiler.experimental.stop()
            self._runs = False


def predict(
    model: tf_keras.Model,
    data: tf.data.Dataset,
    predict_keys: Any = None,
    yield_single_examples: bool = True,
) -> Iterator[Any]:
    """Yields predictions as Estimator.predict: when they are asked for, example by example.

    Args:
      model: the model.
      data: features, or features and labels, in batches.
      predict_keys: which of the predictions: a name or a list; None for all.
      yield_single_examples: whether not whole batches.

    Raises:
      ValueError: `predict_keys` does not fit the predictions, or batch sizes differ.
    """
    for batch in data:
        found = model.predict_on_batch(batch[0] if isinstance(batch, tuple) else batch)
        found = predicting.select(found, predict_keys)
        if yield_single_examples:
            yield from predicting.examples(found)
        else:
            yield found
