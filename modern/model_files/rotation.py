"""Rotation of the checkpoints in a folder, in the form of Keras or of Estimators.

>>> import tempfile
>>> folder = tempfile.mkdtemp()
>>> for step in (10, 20, 30):
...     checkpoint = tf.train.Checkpoint(x=tf.Variable(1.0))
...     register(checkpoint.write(f"{folder}/ckpt-{step}"))
>>> keep_latest(folder, 2)
>>> [path.removeprefix(folder) for path in kept(folder)]
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


def kept(folder: str) -> list[str]:
    """Returns the paths of a folder's checkpoints, the latest one last."""
    state = tf.train.get_checkpoint_state(folder)
    return [*state.all_model_checkpoint_paths] if state else []


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
    paths = kept(folder)
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
    return [one for one in kept(folder) if os.path.basename(one) != name]


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
    for file in tf.io.gfile.glob(f"{path}.*"):
        tf.io.gfile.remove(file)
