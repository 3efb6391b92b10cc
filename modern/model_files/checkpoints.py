"""Checkpoints of a training under any strategy, and backups of it.

Saved under one strategy they are restored under another, or none: they hold the model and its
optimizer, object by object (tf.train.Checkpoint). Under MultiWorkerMirroredStrategy every worker
must take part in a save, since some values (batch-norm statistics) are averaged over the workers as
they are read; all but the first write theirs to a folder that is removed again
(https://www.tensorflow.org/tutorials/distribute/multi_worker_with_keras, "Model saving and
loading").
"""

from __future__ import annotations

import os
import shutil

import tensorflow as tf
import tf_keras

from modern.model_files import rotation
from modern.model_files.weights import CheckpointError


def folder(model_dir: str) -> str:
    """Where the checkpoints of a training are."""
    return os.path.join(model_dir, "checkpoints")


def backup_folder(model_dir: str) -> str:
    """Where the backups of a training are."""
    return os.path.join(model_dir, "backup")


def step_of(path: str) -> int:
    """Returns the step of a checkpoint, which is in its name; 0 where the name has none.

    Optimizers count it in variables of different names, and some of a user's own in none.
    """
    number = path.rpartition("-")[2]
    return int(number) if number.isdigit() else 0


def latest(model_dir: str) -> str | None:
    """Returns the path of a training's latest checkpoint; None where it has none."""
    return tf.train.latest_checkpoint(folder(model_dir))


class Checkpoints:
    """The checkpoints of one training, or its backups.

    A backup is a checkpoint in a folder of its own, MODEL_DIR/backup. It is for restarts after a
    failure: there is one, and it is removed once the end of the training is saved. A training
    continues from the newest of its checkpoints and backups.

    Args:
      model: Compiled; its optimizer is saved with it.
      model_dir: Of the training.
      keep: How many are kept; None for all.
      writes: Whether this task's files stay (the chief's, or worker 0's).
      task: This task's name, for the folder of one that does not write.
      advice: What to do if it cannot be restored, for the message.
      is_backup: Whether these are backups.
    """

    def __init__(
        self,
        model: tf_keras.Model,
        model_dir: str,
        keep: int | None,
        writes: bool = True,
        task: str = "",
        advice: str = "Give another --model_dir, or the --job that wrote this one.",
        is_backup: bool = False,
    ) -> None:
        self._model_dir, self._advice = model_dir, advice
        self._directory = backup_folder(model_dir) if is_backup else folder(model_dir)
        self._temporary = None if writes else os.path.join(self._directory, f"temporary-{task}")
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)  # Of a run that was killed.
        self._is_ring = isinstance(
            model.distribute_strategy, tf.distribute.MultiWorkerMirroredStrategy
        )
        self._saved: int | None = None
        self._keep, self._path = keep, ""
        self._optimizer = model.optimizer
        # It is made when it is first asked for. One that is made after a restore takes the value of
        # the first worker of a ring in all of them, whatever they have restored.
        self._step = model.optimizer.iterations
        self._checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)

    def restore(self, partly: bool = False) -> int:
        """Restores the latest checkpoint or backup, if there is one.

        Args:
          partly: Whether what it lacks may stay as it is.

        Returns:
          The global step, 0 without either.

        Raises:
          CheckpointError: It is damaged or of another model.
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
        return int(self._step.numpy())

    def _latest(self) -> str | None:
        """Returns the newest checkpoint or backup; of the same step, the checkpoint."""
        both = (backup_folder(self._model_dir), folder(self._model_dir))
        paths = [path for one in both if (path := tf.train.latest_checkpoint(one))]
        return max(reversed(paths), key=step_of, default=None)

    def save(self) -> str:
        """Saves now, unless this step is saved already; returns the path of the checkpoint."""
        step = int(self._step.numpy())
        path = os.path.join(self._temporary or self._directory, f"ckpt-{step}")
        # What is in the folder already differs by worker, and in a ring all save or none.
        is_saved = self._saved == step or tf.train.latest_checkpoint(self._directory) == path
        if self._saved != step if self._is_ring else not is_saved:
            self._checkpoint.save_counter.assign_add(1)  # Which `restore` looks for.
            self._checkpoint.write(path)
            if not self._temporary:
                rotation.register(path)
        self._saved, self._path = step, path
        return path

    def rotate(self) -> None:
        """Removes checkpoints that are too many."""
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)
        else:
            rotation.keep_latest(self._directory, self._keep)

    def discard(self) -> None:
        """Removes the checkpoint that was saved last."""
        if not self._temporary:
            rotation.discard(self._path)

    def close(self) -> None:
        """Removes what this task wrote only to take part in the saves of others."""
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def remove(self) -> None:
        """Removes all of them, by the task whose files stay."""
        if not self._temporary:
            shutil.rmtree(self._directory, ignore_errors=True)


def restore_for_evaluation(model: tf_keras.Model, path: str) -> int | None:
    """Reads a checkpoint's weights into a plain model.

    Returns:
      The step it was saved at; None if it has been deleted meanwhile.

    Raises:
      CheckpointError: It is of another model.
    """
    try:
        # The empty one stands for the optimizer, which is not needed, and which another kind of
        # optimizer in the model would refuse.
        optimizer = tf.train.Checkpoint()
        tf.train.Checkpoint(model=model, optimizer=optimizer).restore(path).expect_partial()
    except tf.errors.NotFoundError:
        return None
    except ValueError as error:
        if not tf.io.gfile.exists(f"{path}.index"):
            return None
        raise CheckpointError(
            f"The checkpoint {path} is none of this model: {str(error).splitlines()[0]}"
        ) from error
    return step_of(path)
