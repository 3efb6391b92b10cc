"""The newest checkpoint of a folder whose files are whole.

>>> import os, tempfile
>>> folder = tempfile.mkdtemp()
>>> for step in (10, 20):
...     path = tf.train.Checkpoint(x=tf.Variable(1.0)).write(f"{folder}/ckpt-{step}")
...     rotation.register(path)
>>> os.truncate(f"{folder}/ckpt-20.data-00000-of-00001", 3)
>>> os.path.basename(newest(folder))
'ckpt-10'

A full disk, a lost machine or a copy that was cut off can damage a checkpoint. TensorFlow takes a
checkpoint for missing then, and a training would silently begin at step 0.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re

import tensorflow as tf
from absl import logging

from modern.model_files import rotation
from modern.model_files.errors import CheckpointError
from modern.process import cli

# The prefixes that Keras trainings and Estimators give their checkpoints.
_PREFIXES = ("ckpt", "model.ckpt")
# A larger tensor is not read, because it would need as much memory. Only the size of the files
# tells then whether it is whole.
_LARGEST_READ = 1 << 30
_SHARD = re.compile(r"\.data-(\d{5})-of-(\d{5})$")
_REASONS_SHOWN = 3
# The errors of TensorFlow's reader of checkpoints. A file that is cut off gives an IndexError.
_UNREADABLE = (tf.errors.OpError, ValueError, RuntimeError, IndexError)


def newest(folder: str) -> str | None:
    """Returns the path of the newest checkpoint whose files are whole, or None without any.

    The checkpoint that the file "checkpoint" names last comes first, as in TensorFlow. If it is
    damaged, the others follow by their steps, and an error is logged that names the damaged file.
    Nothing is changed in the folder.

    Args:
      folder: The folder of the checkpoints.

    Raises:
      CheckpointError: The folder has checkpoints, and all of them are damaged.
    """
    problems: list[str] = []
    for path in _candidates(folder):
        reason = damage(path)
        if reason is None:
            if problems:
                logging.error("%s Continuing from %s instead.", " ".join(problems), path)
            return path
        problems.append(reason)
    state = os.path.join(folder, "checkpoint")
    if not problems and tf.io.gfile.exists(state):
        problems = [f"{state} names no checkpoint."]
    if problems:
        reasons = " ".join(problems[:_REASONS_SHOWN])
        raise CheckpointError(
            f"No checkpoint in {folder} can be read. {reasons} Restore the files from a copy, or "
            "give another folder to begin at step 0."
        )
    return None


def or_exit() -> contextlib.AbstractContextManager[None]:
    """Returns a context that ends a user's own program if all checkpoints are damaged.

    The program prints one line and exits with code 2.

    Raises:
      SystemExit: The block has raised a CheckpointError.
    """
    return cli.refusing(CheckpointError)


def settle(folder: str) -> None:
    """Makes the newest checkpoint whose files are whole the latest one, for a TensorFlow Saver.

    A Saver restores the latest checkpoint of a folder and removes the oldest ones. The files of
    damaged checkpoints stay.

    Args:
      folder: The folder of the checkpoints.

    Raises:
      CheckpointError: The folder has checkpoints, and all of them are damaged.
    """
    path = newest(folder)
    if path and os.path.basename(path) != os.path.basename(rotation.latest(folder) or ""):
        rotation.forget_after(folder, rotation.step_of(path) or 0)
        rotation.register(path)


def is_lost(path: str) -> bool:
    """Returns whether a checkpoint has been deleted or is damaged. Damage is logged.

    For a reader that could not read it. A trainer may have deleted it in the meantime.

    Args:
      path: The prefix of the checkpoint.
    """
    reason = damage(path)
    folder, name = os.path.split(path)
    # A trainer changes the list before it deletes the files.
    if reason and name in {
        os.path.basename(checkpoint) for checkpoint in rotation.paths_in(folder)
    }:
        logging.error("%s This checkpoint is left out.", reason)
    return reason is not None


def damage(path: str) -> str | None:
    """Returns a sentence on the damage of a checkpoint, or None if its files are whole.

    All files are read, except very large tensors. The result is kept until a file changes.

    Args:
      path: The prefix of the checkpoint.
    """
    if not rotation.exists(path):
        return f"{path}.index is missing."
    folder, name = os.path.split(path)
    files = [file for file in tf.io.gfile.listdir(folder or ".") if file.startswith(f"{name}.")]
    facts = [tf.io.gfile.stat(os.path.join(folder, file)) for file in sorted(files)]
    return _damage(path, tuple((fact.length, fact.mtime_nsec) for fact in facts))


@functools.lru_cache(maxsize=64)
def _damage(path: str, facts: tuple[tuple[int, int], ...]) -> str | None:
    """Returns the damage of a checkpoint whose files have these lengths and times."""
    del facts  # They are only a key of the cache.
    index = f"{path}.index"
    try:
        reader = tf.train.load_checkpoint(path)
        shapes = reader.get_variable_to_shape_map()
    except _UNREADABLE as error:
        return f"{index} is damaged ({_first_line(error)})."
    try:
        shards = _shards(path)
    except FileNotFoundError as error:
        return f"{error.args[0]} is missing."
    sizes = {
        name: tf.TensorShape(shape).num_elements() * reader.get_variable_to_dtype_map()[name].size
        for name, shape in shapes.items()
    }
    # A checkpoint in TensorFlow's oldest format has no shards.
    if shards and sum(tf.io.gfile.stat(shard).length for shard in shards) < sum(sizes.values()):
        return f"{' or '.join(shards)} is cut off."
    for name, size in sizes.items():
        if size > _LARGEST_READ:
            continue
        try:
            reader.get_tensor(name)
        except _UNREADABLE as error:
            return f"{' or '.join(shards) or path} is damaged ({_first_line(error)})."
    return None


def _shards(path: str) -> list[str]:
    """Returns the data files of a checkpoint. Raises FileNotFoundError with the missing one."""
    folder, name = os.path.split(path)
    matches = {
        file: _SHARD.search(file)
        for file in tf.io.gfile.listdir(folder or ".")
        if file.startswith(f"{name}.data-")
    }
    counts = {match[2] for match in matches.values() if match}
    if not counts:
        if tf.io.gfile.exists(f"{path}.index"):
            raise FileNotFoundError(f"{path}.data-00000-of-00001")
        return []
    count = max(counts)
    files = [f"{name}.data-{number:05d}-of-{count}" for number in range(int(count))]
    for file in files:
        if file not in matches:
            raise FileNotFoundError(os.path.join(folder, file))
    return [os.path.join(folder, file) for file in files]


def _candidates(folder: str) -> list[str]:
    """Returns the checkpoints that a folder has or names, the first one to try first."""
    if not tf.io.gfile.isdir(folder):
        return []
    state_paths = rotation.paths_in(folder)
    prefixes = {*_PREFIXES, *(os.path.basename(path).rpartition("-")[0] for path in state_paths)}
    on_disk = [
        os.path.join(folder, file.removesuffix(".index"))
        for file in tf.io.gfile.listdir(folder)
        if file.endswith(".index")
        and file.rpartition("-")[0] in prefixes
        and rotation.step_of(file.removesuffix(".index")) is not None
    ]
    latest = state_paths[-1:]
    # By name, because a state file can give other paths of the same folder.
    others = {os.path.basename(path): path for path in [*on_disk, *state_paths]}
    for path in latest:
        del others[os.path.basename(path)]
    by_step = sorted(others.values(), key=lambda path: rotation.step_of(path) or 0, reverse=True)
    return [*latest, *by_step]


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".") if str(error) else type(error).__name__
