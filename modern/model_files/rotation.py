"""Rotation of the checkpoints in a folder, in the form of Keras or of Estimators.

>>> import tempfile
>>> folder = tempfile.mkdtemp()
>>> for step in (10, 20, 30):
...     checkpoint = tf.train.Checkpoint(x=tf.Variable(1.0))
...     register(checkpoint.write(f"{folder}/ckpt-{step}"))
>>> keep_latest(folder, 2)
>>> [path.removeprefix(folder) for path in paths_in(folder)]
['/ckpt-20', '/ckpt-30']

The file "checkpoint" in the folder lists them by relative names, so that the folder can be moved. A
CheckpointManager would remove the oldest checkpoint as it writes the newest, before the caller can
check the newest for NaN.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import tensorflow as tf

from modern.process import log_filters


def step_of(path: str) -> int | None:
    """Returns the step in the name of a checkpoint, or None if the name has none.

    For example, the step of "ckpt-100" is 100. The name is used because optimizers count steps in
    variables of different names, and a user's own optimizer may have no such variable.
    """
    number = path.rpartition("-")[2]
    return int(number) if number.isdecimal() else None


def paths_in(folder: str) -> list[str]:
    """Returns the paths of a folder's checkpoints, the latest one last.

    They are those that the file "checkpoint" names. If it cannot be read, there are none.
    """
    try:
        state = tf.train.get_checkpoint_state(folder)
    except ValueError:  # It is empty, or no text.
        return []
    if not state or not state.model_checkpoint_path:
        return []
    latest = state.model_checkpoint_path
    return [*(path for path in state.all_model_checkpoint_paths if path != latest), latest]


def latest(folder: str) -> str | None:
    """Returns the path of the checkpoint that a folder names last, if its files exist, or None."""
    path = paths_in(folder)[-1:]
    return path[0] if path and exists(path[0]) else None


def exists(path: str) -> bool:
    """Returns whether a checkpoint has an index, or is the one file of the oldest format."""
    return tf.io.gfile.exists(f"{path}.index") or tf.io.gfile.exists(path)


def forget_after(folder: str, step: int) -> None:
    """Leaves the checkpoints of later steps out of the rotation. Their files stay.

    A training that begins at an earlier step would otherwise remove them as its oldest ones.

    Args:
      folder: The folder.
      step: The step at which the training begins.
    """
    paths = paths_in(folder)
    earlier = [path for path in paths if (step_of(path) or 0) <= step]
    if earlier != paths:
        _name(folder, earlier)


def register(path: str) -> None:
    """Makes a new checkpoint the latest one of its folder."""
    folder = os.path.dirname(path)
    _name(folder, [*_others(path), path])


def keep_latest(folder: str, count: int | None) -> None:
    """Removes all but the latest checkpoints of a folder.

    Args:
      folder: The folder.
      count: The number of checkpoints to keep. None keeps all.
    """
    paths = paths_in(folder)
    if count and len(paths) > count:
        _name(folder, paths[-count:])  # First: readers must not find partly deleted files.
        for path in paths[:-count]:
            _delete(path)


def discard(path: str) -> None:
    """Removes a checkpoint. The previous one becomes the latest."""
    _name(os.path.dirname(path), _others(path))
    _delete(path)


def _others(path: str) -> list[str]:
    folder, name = os.path.split(path)
    return [other for other in paths_in(folder) if os.path.basename(other) != name]


def _name(folder: str, paths: Sequence[str]) -> None:
    """Writes the file "checkpoint" of a folder, or removes it if the list is empty."""
    if not paths:
        tf.io.gfile.remove(os.path.join(folder, "checkpoint"))
        return
    # TensorFlow converts paths to relative ones only if the folder's own path is relative.
    base = "" if os.path.isabs(folder) else folder
    names = [os.path.join(base, os.path.basename(path)) for path in paths]
    # TensorFlow recommends a CheckpointManager, which does not accept Estimators' checkpoints.
    with log_filters.hidden("update_checkpoint_state"):
        tf.compat.v1.train.update_checkpoint_state(folder, names[-1], names)


def _delete(path: str) -> None:
    folder, name = os.path.split(path)
    for file in tf.io.gfile.listdir(folder):
        if file.startswith(f"{name}."):
            tf.io.gfile.remove(os.path.join(folder, file))
