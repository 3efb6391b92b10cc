"""What an Estimator does around its model_fn, for a bridged model: checkpoints, exports and so on.

    model = bridge.KerasModelFn(model_fn)
    as_estimator.restore(model, "model_dir")
    model.fit(train_data, callbacks=as_estimator.callbacks("model_dir", save_secs=600))
    for prediction in as_estimator.predict(model, data):
        print(prediction["classes"])

`python -m migrate rewrite --to=modern` writes programs that use it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf
import tf_keras

from legacy.estimator import predict_loop
from migrate.bridge import hooks

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn


def restore(model: KerasModelFn, model_dir: str | None) -> None:
    """Loads the latest checkpoint of a folder, where it has one.

    Args:
      model: The model.
      model_dir: The folder; None where there is none.

    Raises:
      BridgeError: The checkpoint does not fit.
    """
    if model_dir and tf.train.latest_checkpoint(model_dir):
        model.load_estimator_checkpoint(model_dir)


def callbacks(model_dir: str | None = None, **saves: Any) -> list[tf_keras.callbacks.Callback]:
    """Returns what an Estimator does in each training: it saves, and a loss of NaN ends it.

    Args:
      model_dir: The folder; None to save nothing.
      **saves: How often, as `SaveCheckpoints` takes it.
    """
    stops = hooks.StopAtNan(tf.compat.v1.train.NanTensorHook("loss"))
    return [stops, *([SaveCheckpoints(model_dir, **saves)] if model_dir else [])]


class SaveCheckpoints(tf_keras.callbacks.Callback):
    """Saves Estimator checkpoints when an Estimator does: at the start, regularly, at the end.

    Args:
      model_dir: The folder.
      save_steps: After how many steps; RunConfig's `save_checkpoints_steps`.
      save_secs: After how many seconds; RunConfig's `save_checkpoints_secs`. With neither nothing
        is saved, as under a RunConfig that has neither.
      keep: How many checkpoints, the latest ones; None or 0 for all. RunConfig's
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
        self._steps, self._secs, self._keep = save_steps, save_secs, keep
        self._step, self._time = -1, 0.0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self._save(self._now())

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves, if it is due."""
        step = self._now()
        by_steps = self._steps is not None and step - self._step >= self._steps
        by_secs = self._secs is not None and time.monotonic() - self._time >= self._secs
        if by_steps or by_secs:
            self._save(step)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self._save(self._now())

    def _now(self) -> int:
        return int(self.model.global_step.numpy())

    def _save(self, step: int) -> None:
        if self._folder and step != self._step:
            self.model.save_estimator_checkpoint(os.path.join(self._folder, "model.ckpt"))
            self._remove_old(self._folder)
        self._step, self._time = step, time.monotonic()

    def _remove_old(self, folder: str) -> None:
        state = tf.train.get_checkpoint_state(folder)
        paths = [*state.all_model_checkpoint_paths] if state else []
        if not self._keep or len(paths) <= self._keep:
            return
        kept = paths[-self._keep :]
        tf.compat.v1.train.update_checkpoint_state(folder, kept[-1], kept)
        for path in paths[: -self._keep]:
            for file in tf.io.gfile.glob(f"{path}.*"):
                tf.io.gfile.remove(file)


def predict(
    model: KerasModelFn,
    data: tf.data.Dataset,
    predict_keys: Any = None,
    yield_single_examples: bool = True,
) -> Iterator[Any]:
    """Yields predictions as Estimator.predict: when they are asked for, example by example.

    Args:
      model: The model.
      data: Features, or features and labels, in batches.
      predict_keys: Which of the predictions: a name or a list; None for all.
      yield_single_examples: Whether not whole batches.

    Raises:
      ValueError: `predict_keys` does not fit the predictions, or batch sizes differ.
    """
    for batch in data:
        found = model.predict_on_batch(batch[0] if isinstance(batch, tuple) else batch)
        found = predict_loop.select(found, predict_keys)
        if yield_single_examples:
            yield from predict_loop.examples(found)
        else:
            yield found


def export(model: KerasModelFn, export_dir_base: str, serving_input_receiver_fn: Any) -> bytes:
    """Writes a SavedModel into a new folder named by the time, as Estimator.export_saved_model.

    Args:
      model: The model.
      export_dir_base: Where that folder is to be.
      serving_input_receiver_fn: What a request consists of.

    Returns:
      The new folder's path.

    Raises:
      BridgeError: The model has nothing to export.
    """
    stamp = int(time.time())
    while os.path.exists(os.path.join(export_dir_base, str(stamp))):
        stamp += 1
    path = os.path.join(export_dir_base, str(stamp))
    os.makedirs(export_dir_base, exist_ok=True)
    model.export(path, serving_input_receiver_fn)
    return path.encode()
