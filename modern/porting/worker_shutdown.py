"""Has the workers of a ring end together: one that ends alone takes its part of a sum with it.

    leaving.come(model_dir, config)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    leaving.together(model_dir, config)

A worker has its result of an all-reduce before the others have theirs, which they take from it. If
its process ends then, theirs fail with "Collective ops is aborted by: Socket closed".
"""

from __future__ import annotations

import atexit
import pathlib
import time

import tensorflow as tf

from modern.cluster.tf_config import TFConfig
from modern.process import files

# For one that was killed, and leaves no word.
_PATIENCE_S = 30.0
_POLL_S = 0.02


def come(model_dir: str, config: TFConfig) -> None:
    """Takes back what this task said when it left an earlier run; before the strategy is made."""
    _mark(model_dir, config.name).unlink(missing_ok=True)


def together(model_dir: str, config: TFConfig, patience_s: float = _PATIENCE_S) -> None:
    """Has this process wait at its end until all tasks that train have come to theirs.

    Args:
      model_dir: seen by all tasks.
      config: the cluster, and this task.
      patience_s: seconds that it waits, at most.
    """
    atexit.register(_leave, model_dir, config, patience_s)


def _leave(model_dir: str, config: TFConfig, patience_s: float) -> None:
    files.write_text(_mark(model_dir, config.name), "")
    names = [
        f"{kind}-{index}"
        for kind, tasks in config.training_cluster.items()
        for index in range(len(tasks))
    ]
    deadline = time.monotonic() + patience_s
    while not all(_mark(model_dir, name).exists() for name in names):
        if time.monotonic() > deadline:
            tf.compat.v1.logging.warning(
                "%s ends before the others of %s.", config.name, ", ".join(names)
            )
            return
        time.sleep(_POLL_S)


def _mark(model_dir: str, task: str) -> pathlib.Path:
    return pathlib.Path(model_dir) / "tasks" / f"{task}.left"
