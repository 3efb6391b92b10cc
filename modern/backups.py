"""Keras' BackupAndRestore beside our own checkpoints: a job that was killed goes on from the newer.

    python -m modern.train --backup=epoch --model_dir=/tmp/mnist

BackupAndRestore restores as `fit` begins and then counts epochs by itself, which is wrong where a
checkpoint is newer, where `fit` is called more than once, and where an execution has several steps
(seen in tf_keras 2.21). So each call of `fit` backs up to a folder of its own, in which it finds
nothing to restore, and `modern.checkpoints` restores from the newest backup or checkpoint.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil

import tensorflow as tf
import tf_keras

from modern.weights import CheckpointError


def folder(model_dir: str) -> str:
    """Where the backups of a training are."""
    return os.path.join(model_dir, "backup")


class Backup(tf_keras.callbacks.BackupAndRestore):
    """Backs up a training to MODEL_DIR/backup/from-STEP; STEP is where this call of `fit` began.

    Args:
      model_dir: of the training.
      frequency: "epoch", or a number of executions (of `steps_per_execution` steps each).
    """

    def __init__(self, model_dir: str, frequency: str | int) -> None:
        super().__init__(folder(model_dir), save_freq=frequency, delete_checkpoint=False)
        self._root = folder(model_dir)

    def on_train_begin(self, logs: dict | None = None) -> None:
        """Called by `fit` before its first step, which is later than any backup's."""
        step = int(self.model.optimizer.iterations.numpy())
        self.backup_dir = os.path.join(self._root, f"from-{step}")
        super().on_train_begin(logs)

    def on_train_end(self, logs: dict | None = None) -> None:
        """Called by `fit` after its last step and its last backup."""
        super().on_train_end(logs)
        strategy = self.model.distribute_strategy
        if not strategy.extended.should_checkpoint:
            # Where Keras has such a task write; it stays where no backup was due.
            own = f"workertemp_{strategy.cluster_resolver.task_id}"
            shutil.rmtree(os.path.join(self.backup_dir, own), ignore_errors=True)


def latest(model_dir: str) -> tuple[int, str | None]:
    """The global step and the path of the newest backup; (-1, None) without one.

    Raises:
      CheckpointError: a backup is damaged.
    """
    chiefs = pathlib.Path(folder(model_dir)).glob("from-*/chief")
    paths = [path for chief in chiefs if (path := tf.train.latest_checkpoint(str(chief)))]
    return max(((_step(path), path) for path in paths), default=(-1, None))


def _step(path: str) -> int:
    iterations = tf.Variable(-1, dtype=tf.int64)
    model = tf.train.Checkpoint(optimizer=tf.train.Checkpoint(iter=iterations))
    try:
        tf.train.Checkpoint(model=model).restore(path).expect_partial()
    except (ValueError, tf.errors.OpError) as error:
        raise CheckpointError(
            f"The backup {path} cannot be read: {str(error).splitlines()[0]} Remove its folder to "
            "continue from the last checkpoint."
        ) from error
    return int(iterations.numpy())


def remove(model_dir: str) -> None:
    """Removes the backups, once a checkpoint holds a later state; by the task that saves.

    Other tasks of a ring may still be writing their last one, beside it: that is left to them. What
    a killed training left is of an earlier step, and nobody's.
    """
    begun = pathlib.Path(folder(model_dir)).glob("from-*")
    *earlier, last = sorted(begun, key=lambda path: int(path.name.partition("-")[2])) or [None]
    for path in earlier:
        shutil.rmtree(path, ignore_errors=True)
    if last is not None:
        shutil.rmtree(last / "chief", ignore_errors=True)
    remove_empty(model_dir)


def remove_empty(model_dir: str) -> None:
    """Removes the folders that nobody has anything in any more; by every task, at its end."""
    root = pathlib.Path(folder(model_dir))
    for path in (*root.glob("from-*"), root):
        with contextlib.suppress(OSError):  # not empty, or gone already
            path.rmdir()
