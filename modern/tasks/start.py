"""The start of a task, which imports only what the role of the task needs.

    sys.exit(start.run(setting, load_job))

TensorFlow's Python package is imported here, after all flags are checked. A task that serves a
coordinator does without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from modern.cluster import roles, tf_config
from modern.process import folders, quiet_import
from modern.tasks import server
from modern.tasks.setting import Setting

if TYPE_CHECKING:
    from modern.tasks.job import Job


def run(setting: Setting, load_job: Callable[[], Job]) -> int:
    """Runs the role that TF_CONFIG gives this process, and returns the exit code.

    Args:
      setting: The setting of the training.
      load_job: Loads the job and its data. It is called only in a task that needs them.

    Raises:
      TFConfigError: The cluster does not fit the strategy.
      CheckpointError: A checkpoint cannot be continued from.
      UsageError: Another run trains in the folder, or it cannot be written.
    """
    config = tf_config.load()
    tf_config.validate(config, setting.strategy)
    folders.check_writable(setting.model_dir, "--model_dir")
    if config is not None and roles.role_of(config, setting.strategy).serves_only:
        return server.serve(config, setting.model_dir, setting.deterministic)
    quiet_import.import_tensorflow(coordinates=True)
    from modern.tasks import task

    return task.run(setting, load_job, config)
