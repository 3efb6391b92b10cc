"""Checkpoints of a training under any strategy, and when to write one.

Saved under one strategy they are restored under another, or none: they hold the model and its
optimizer, object by object (tf.train.Checkpoint). Under MultiWorkerMirroredStrategy every worker
must take part in a save, since some values (batch-norm statistics) are averaged over the workers as
they are read; all but the first write theirs to a folder that is removed again
(https://www.tensorflow.org/tutorials/distribute/multi_worker_with_keras, "Model saving and
loading").
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import time

import tensorflow as tf
import tf_keras

from modern import backups
from modern.weights import CheckpointError


def folder(model_dir: str) -> str:
    """Where the checkpoints of a training are."""
    return os.path.join(model_dir, "checkpoints")


def latest(model_dir: str) -> str | None:
    """Returns the path of a training's latest checkpoint; None where it has none."""
    return tf.train.latest_checkpoint(folder(model_dir))


class Checkpoints:
    """The checkpoints of one training.

    Args:
      model: compiled; its optimizer is saved with it.
      model_dir: of the training.
      keep: how many are kept; None for all.
      writes: whether this task's files stay (the chief's, or worker 0's).
      task: this task's name, for the folder of one that does not write.
      advice: what to do if it cannot be restored, for the message.
    """

    def __init__(
        self,
        model: tf_keras.Model,
        model_dir: str,
        keep: int | None,
        writes: bool = True,
        task: str = "",
        advice: str = "Give another --model_dir, or the --job that wrote this one.",
    ) -> None:
        self._model_dir, self._advice = model_dir, advice
        self._directory = folder(model_dir)
        self._temporary = None if writes else os.path.join(self._directory, f"temporary-{task}")
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)  # Of a run that was killed.
        self._is_ring = isinstance(
            model.distribute_strategy, tf.distribute.MultiWorkerMirroredStrategy
        )
        self._saved: int | None = None
        self._optimizer = model.optimizer
        self._checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
        self._manager = tf.train.CheckpointManager(
            self._checkpoint,
            self._temporary or self._directory,
            max_to_keep=keep,
            checkpoint_name="ckpt",
            step_counter=model.optimizer.iterations,
        )

    def restore(self, partly: bool = False) -> int:
        """Restores the latest checkpoint or backup (modern/backups.py), if there is one.

        Args:
          partly: whether what it lacks may stay as it is.

        Returns:
          The global step, 0 without either.

        Raises:
          CheckpointError: it is damaged or of another model.
        """
        return self._restore(self._checkpoint, partly)

    def restore_optimizer(self) -> int:
        """As `restore`, without the model: what its variables are for comes when they do."""
        return self._restore(tf.train.Checkpoint(optimizer=self._optimizer))

    def _restore(self, checkpoint: tf.train.Checkpoint, partly: bool = False) -> int:
        path = self._latest()
        if path:
            try:
                # No word where nothing is left to train with the rest.
                status = checkpoint.restore(path).expect_partial()
                if not partly:
                    status.assert_existing_objects_matched()
            except (AssertionError, IndexError, ValueError, tf.errors.OpError) as error:
                raise CheckpointError(
                    f"The checkpoint {path} cannot be continued from: {str(error).splitlines()[0]} "
                    f"{self._advice}"
                ) from error
        return int(self._optimizer.iterations.numpy())

    def _latest(self) -> str | None:
        path = tf.train.latest_checkpoint(self._directory)
        step = int(path.rpartition("-")[2]) if path else -1
        backup_step, backup = backups.latest(self._model_dir)
        return backup if backup_step > step else path

    def save(self) -> str:
        """Saves now, unless this step is saved already; the path of the checkpoint."""
        step = int(self._optimizer.iterations.numpy())
        path = os.path.join(self._temporary or self._directory, f"ckpt-{step}")
        # What is in the folder already differs by worker, and in a ring all save or none.
        is_saved = self._saved == step or self._manager.latest_checkpoint == path
        if self._saved != step if self._is_ring else not is_saved:
            self._manager.save(checkpoint_number=step)
        self._saved = step
        return path

    def close(self) -> None:
        """After the last save: removes what this task wrote only to take part, and the backups."""
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)
            backups.remove_empty(self._model_dir)
        else:
            backups.remove(self._model_dir)


@dataclasses.dataclass
class SaveRule:
    """When a checkpoint is due: every so many steps or seconds, whichever is first; 0 is never."""

    every_steps: int = 0
    every_secs: float = 0.0
    last_step: int = 0
    last_time: float = dataclasses.field(default_factory=time.monotonic)

    def due_by_step(self, step: int) -> bool:
        """Whether `every_steps` have gone by since the last save; the same on every worker."""
        return (
            bool(self.every_steps) and step // self.every_steps > self.last_step // self.every_steps
        )

    def due_by_time(self) -> bool:
        """Whether `every_secs` have gone by; workers may differ."""
        return bool(self.every_secs) and time.monotonic() - self.last_time >= self.every_secs

    def saved(self, step: int) -> None:
        """Starts counting anew."""
        self.last_step, self.last_time = step, time.monotonic()


def restore_for_evaluation(model: tf_keras.Model, path: str) -> int | None:
    """Reads a checkpoint's weights into a plain model.

    Returns:
      The step it was saved at; None if it has been deleted meanwhile.

    Raises:
      CheckpointError: it is of another model.
    """
    iterations = tf.Variable(0, dtype=tf.int64)
    # As optimizers of tf_keras.optimizers.legacy call it, and the others.
    optimizer = tf.train.Checkpoint(iter=iterations, _iterations=iterations)
    try:
        tf.train.Checkpoint(model=model, optimizer=optimizer).restore(path).expect_partial()
    except tf.errors.NotFoundError:
        return None
    except ValueError as error:
        if not tf.io.gfile.exists(f"{path}.index"):
            return None
        raise CheckpointError(
            f"The checkpoint {path} is none of this model: {str(error).splitlines()[0]}"
        ) from error
    return int(iterations.numpy())
