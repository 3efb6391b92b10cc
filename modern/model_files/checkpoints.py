"""Checkpoints and backups of a training, under any strategy.

A checkpoint holds the model and its optimizer, object by object (tf.train.Checkpoint). It can be
saved under one strategy and restored under another. Under MultiWorkerMirroredStrategy every worker
must take part in a save, because some values, such as batch-norm statistics, are averaged over the
workers as they are read. All workers but the first write to a temporary folder, which is removed
afterwards (https://www.tensorflow.org/tutorials/distribute/multi_worker_with_keras, "Model saving
and loading").
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from absl import logging

from modern.model_files import intact, keras3_objects, remote_writes, rotation
from modern.model_files.errors import CheckpointError
from modern.model_files.mirrors import Mirrors
from modern.process import chosen_keras, files
from modern.process.chosen_keras import keras, tf_variable


def folder(model_dir: str) -> str:
    """Returns the folder of a training's checkpoints."""
    return os.path.join(model_dir, "checkpoints")


def backup_folder(model_dir: str) -> str:
    """Returns the folder of a training's backups."""
    return os.path.join(model_dir, "backup")


def latest(model_dir: str) -> str | None:
    """Returns the path of a training's latest checkpoint, or None."""
    return rotation.latest(folder(model_dir))


def newest(model_dir: str) -> str | None:
    """Returns the newest checkpoint or backup whose files are whole, or None without any.

    At the same step, the checkpoint wins.

    Raises:
      CheckpointError: Checkpoints or backups exist, and all of them are damaged.
    """
    paths, problem = [], None
    # `max` returns the first of several equal steps, which is the checkpoint.
    for directory in (folder(model_dir), backup_folder(model_dir)):
        try:
            paths.append(intact.newest(directory))
        except CheckpointError as error:
            problem = problem or error
    newest_path = max(
        filter(None, paths), key=lambda path: rotation.step_of(path) or 0, default=None
    )
    if problem and newest_path is None:
        raise problem
    if problem:
        logging.error("%s Continuing from %s instead.", problem, newest_path)
    return newest_path


class Checkpoints:
    """The checkpoints of one training, or its backups.

    A backup is a checkpoint in its own folder, MODEL_DIR/backup. It serves restarts after a
    failure. A training has one backup, which is removed once the end of the training is saved. A
    training continues from the newest of its checkpoints and backups.

    Args:
      model: The compiled model. Its optimizer is saved with it.
      model_dir: The folder of the training.
      keep: The number of checkpoints to keep. None keeps all.
      writes: Whether this task's files stay. True for the chief, or worker 0.
      task: The name of this task, for the temporary folder of a task that does not write.
      advice: The advice to the user if the checkpoint cannot be restored, for the message.
      is_backup: Whether these are backups.
    """

    def __init__(
        self,
        model: keras.Model,
        model_dir: str,
        keep: int | None,
        writes: bool = True,
        task: str = "",
        advice: str = "Give another --model_dir, or the --job and --keras that wrote this one.",
        is_backup: bool = False,
    ) -> None:
        self._model_dir, self._advice = model_dir, advice
        self._directory = backup_folder(model_dir) if is_backup else folder(model_dir)
        self._temporary = None if writes else os.path.join(self._directory, f"temporary-{task}")
        if self._temporary:
            files.remove_tree(self._temporary)  # Left by a killed run.
        self._is_synchronized = isinstance(
            model.distribute_strategy, tf.distribute.MultiWorkerMirroredStrategy
        )
        self._saved: int | None = None
        self._keep, self._path = keep, ""
        self._optimizer = model.optimizer
        # The optimizer creates this variable on first access, so it is accessed before any restore.
        # Under MultiWorkerMirroredStrategy, a variable created after a restore takes the value of
        # the first worker in all workers, even if they have restored another one.
        self._step = tf_variable(model.optimizer.iterations)
        self._model, self._mirrors = model, Mirrors()
        self._more_objects: dict[str, Any] = {}
        if chosen_keras.version() == 2 or model.built:
            _ = self._checkpoint  # Which creates it.

    @functools.cached_property
    def _checkpoint(self) -> tf.train.Checkpoint:
        """The objects to save. With Keras 3, a model has their names once its variables exist."""
        return tf.train.Checkpoint(**objects(self._model, self._mirrors.of), **self._more_objects)

    @functools.cached_property
    def _writer(self) -> remote_writes.Writer | None:
        """Writes the variables of parameter servers. None without parameter servers."""
        if isinstance(self._model.distribute_strategy, tf.distribute.ParameterServerStrategy):
            return remote_writes.Writer(self._checkpoint, self._step)
        return None

    def add_loss_scale(self, loss_scale: tf.__internal__.tracking.AutoTrackable) -> None:
        """Saves a loss scale with a model of Keras 3, and restores it if a checkpoint has one.

        With tf_keras, it is an attribute of the model that is saved.
        """
        if chosen_keras.version() == 3:
            self._more_objects["loss_scale"] = loss_scale
            self._checkpoint.loss_scale = loss_scale

    def restore(self, partly: bool = False) -> int:
        """Restores the latest checkpoint or backup, if one exists.

        Args:
          partly: Whether variables that the checkpoint lacks may keep their values.

        Returns:
          The global step, or 0 if neither exists.

        Raises:
          CheckpointError: The checkpoint is damaged or of another model.
        """
        return self._restore(self._checkpoint, partly)

    def restore_optimizer(self) -> int:
        """Restores the optimizer alone, like `restore`.

        Values of variables that do not exist yet are restored when the variables are created. With
        Keras 3, only the step is restored.
        """
        optimizer = self._optimizer
        if chosen_keras.version() == 3:
            optimizer = tf.train.Checkpoint(iteration=self._step)
        return self._restore(tf.train.Checkpoint(optimizer=optimizer))

    def _restore(self, checkpoint: tf.train.Checkpoint, partly: bool = False) -> int:
        path = newest(self._model_dir)
        if path:
            try:
                # `expect_partial` silences the warning about values that the program never uses.
                status = checkpoint.restore(path).expect_partial()
                if not partly:
                    status.assert_existing_objects_matched()
            except (AssertionError, IndexError, ValueError, tf.errors.OpError) as error:
                raise CheckpointError(
                    f"The checkpoint {path} cannot be continued from: {str(error).splitlines()[0]} "
                    f"{self._advice}"
                ) from error
            self._mirrors.apply()
        return int(self._step.numpy())

    def begin(self, step: int) -> None:
        """Leaves the checkpoints of later steps alone, in the task whose files stay."""
        if not self._temporary:
            rotation.forget_after(self._directory, step)

    def save(self) -> str:
        """Saves this step, unless it is saved already, and returns the path of the checkpoint."""
        step = int(self._step.numpy())
        path = self._path_at(step)
        # The files on disk differ between workers, and synchronous workers must all save or all
        # skip. So these workers compare only with the step that they saved last.
        is_saved = self._saved == step
        if not self._is_synchronized:
            is_saved = is_saved or rotation.latest(self._directory) == path
        if not is_saved:
            self._checkpoint.save_counter.assign_add(1)  # `restore` expects it.
            self._mirrors.update()
            if self._writer:
                snapshot = self._writer.snapshot()  # Workers may have made further steps.
                step, path = snapshot.step, self._path_at(snapshot.step)
                snapshot.write(path)
            else:
                self._checkpoint.write(path)
            if not self._temporary:
                rotation.register(path)
        self._saved, self._path = step, path
        return path

    def _path_at(self, step: int) -> str:
        return os.path.join(self._temporary or self._directory, f"ckpt-{step}")

    def rotate(self) -> None:
        """Removes the oldest checkpoints beyond the number to keep."""
        if self._temporary:
            files.remove_tree(self._temporary)
        else:
            rotation.keep_latest(self._directory, self._keep)

    def discard(self) -> None:
        """Removes the checkpoint that was saved last."""
        if not self._temporary:
            rotation.discard(self._path)

    def close(self) -> None:
        """Removes files that this task wrote only to take part in the saves of other workers."""
        if self._temporary:
            files.remove_tree(self._temporary)

    def remove(self) -> None:
        """Removes the whole folder, in the task whose files stay."""
        if not self._temporary:
            files.remove_tree(self._directory)


def objects(
    model: keras.Model, variable_in_file: Callable[[Any], tf.Variable] = tf_variable
) -> dict[str, Any]:
    """Returns the objects of a model that a checkpoint holds.

    Args:
      model: The compiled model, with its weights.
      variable_in_file: As for `keras3_objects.of`.
    """
    if chosen_keras.version() == 3:
        return keras3_objects.of(model, variable_in_file)
    return {"model": model, "optimizer": model.optimizer}


def restore_for_evaluation(model: keras.Model, path: str) -> int | None:
    """Reads the weights of a checkpoint into a plain model.

    Returns:
      The step of the checkpoint. None if it has been deleted in the meantime or is damaged, which
      is logged.

    Raises:
      CheckpointError: The checkpoint is of another model.
    """
    try:
        # The empty Checkpoint takes the place of the optimizer. Evaluation does not need it, and a
        # model with another kind of optimizer would refuse it.
        optimizer = tf.train.Checkpoint()
        if chosen_keras.version() == 3:
            mirrors = Mirrors()
            named = keras3_objects.weights_of(model, mirrors.of)
            status = tf.train.Checkpoint(model=named, optimizer=optimizer).restore(path)
            status.expect_partial().assert_existing_objects_matched()
            mirrors.apply()
        else:
            tf.train.Checkpoint(model=model, optimizer=optimizer).restore(path).expect_partial()
    except (AssertionError, ValueError, IndexError, tf.errors.OpError) as error:
        if intact.is_lost(path):
            return None
        raise CheckpointError(
            f"The checkpoint {path} does not belong to this model: {str(error).splitlines()[0]}"
        ) from error
    return rotation.step_of(path) or 0
