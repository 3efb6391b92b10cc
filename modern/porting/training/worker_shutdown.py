"""Synchronizes worker shutdown, so that no worker exits during another worker's all-reduce.

    worker_shutdown.remove_mark(model_dir, config)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    worker_shutdown.exit_together(model_dir, config)

A worker may have its result of an all-reduce before the others, which still read from it. If its
process ends then, the others fail with "Collective ops is aborted by: Socket closed".
"""

from __future__ import annotations

import atexit
import os
import time

import tensorflow as tf

from modern.cluster.tf_config import TFConfig
from modern.process import files

# A killed worker leaves no mark. The others wait for it no longer than this.
_PATIENCE_S = 30.0
_POLL_S = 0.02
_POLL_REMOTE_S = 0.5


def remove_mark(model_dir: str, config: TFConfig) -> None:
    """Removes this task's mark from an earlier run. Call it before the strategy is created."""
    files.remove(_mark(model_dir, config.name))


def exit_together(model_dir: str, config: TFConfig, patience_s: float = _PATIENCE_S) -> None:
    """Makes this process wait at its exit until all tasks that train have reached theirs.

    Args:
      model_dir: The folder that all tasks share.
      config: The cluster, and this task.
      patience_s: Maximum number of seconds to wait.
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
    while not all(files.exists(_mark(model_dir, name)) for name in names):
        if time.monotonic() > deadline:
            tf.compat.v1.logging.warning(
                "%s ends before all of %s have ended.", config.name, ", ".join(names)
            )
            return
        time.sleep(_POLL_REMOTE_S if files.is_remote(model_dir) else _POLL_S)


def _mark(model_dir: str, task: str) -> str:
    return os.path.join(model_dir, "tasks", f"{task}.left")
