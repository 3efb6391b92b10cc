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
from typing import TYPE_CHECKING, Any

import tensorflow as tf
import tf_keras

from modern import exports, porting
from modern.porting import Profile, predict

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

__all__ = ["Profile", "SaveCheckpoints", "callbacks", "export", "predict", "restore"]


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
    saves_too = [SaveCheckpoints(model_dir, **saves)] if model_dir else []
    return [porting.StopAtNan(), *saves_too]


class SaveCheckpoints(porting.SaveCheckpoints):
    """Saves Estimator checkpoints when an Estimator does: at the start, regularly, at the end."""

    def step(self) -> int:
        """The global step."""
        return int(self.model.global_step.numpy())

    def write(self, folder: str, keep: int | None) -> None:
        """Writes a checkpoint, and removes old ones."""
        self.model.save_estimator_checkpoint(os.path.join(folder, "model.ckpt"))
        state = tf.train.get_checkpoint_state(folder)
        paths = [*state.all_model_checkpoint_paths] if state else []
        if not keep or len(paths) <= keep:
            return
        kept = paths[-keep:]
        tf.compat.v1.train.update_checkpoint_state(folder, kept[-1], kept)
        for path in paths[:-keep]:
            for file in tf.io.gfile.glob(f"{path}.*"):
                tf.io.gfile.remove(file)


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
    path = exports.new_version(export_dir_base)
    model.export(path, serving_input_receiver_fn)
    return path.encode()
