"""Ends a task that has waited for the other tasks of its cluster in vain.

    try:
        strategy = strategies.make("multi_worker_mirrored", config)
    except gathering.MissingTasksError as error:
        sys.exit(lone_task.end(error, model_dir, config))

A pod that is started again after the end of the training is such a task, and has not failed.
"""

from __future__ import annotations

from modern.cluster.gathering import MissingTasksError
from modern.cluster.tf_config import TFConfig
from modern.process import cli
from modern.records import task_records


def end(error: MissingTasksError, model_dir: str, config: TFConfig) -> int:
    """Reports in one line that the other tasks do not come.

    Args:
      error: The end of the wait.
      model_dir: The folder of the training, with the records of its tasks.
      config: The cluster and this task.

    Returns:
      The exit code: 0 if the training is over, as for a pod that is started again, otherwise 1.
    """
    leader = "chief-0" if config.has_chief else "worker-0"
    end_time = task_records.end(model_dir, leader)
    if end_time:
        cli.say(f"{error} The training in {model_dir} is over since {end_time}.")
        return 0
    return cli.report_failure(error)
