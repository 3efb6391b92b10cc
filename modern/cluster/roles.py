"""What each task of a cluster does, for each way of training.

>>> from modern.cluster import tf_config
>>> text = '{"cluster": {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}, '
>>> config = tf_config.parse(text + '"task": {"type": "chief", "index": 0}}')
>>> role_of(config, "parameter_server").description
'coordinates only: schedules steps on the workers, saves'
>>> num_trainers(config, "parameter_server"), num_trainers(config, "legacy")
(2, 3)

The rule behind the numbers: a trainer is a task that computes gradients. An Estimator cluster's
chief is one; the chief of ParameterServerStrategy only coordinates.
"""

import dataclasses

from modern.cluster.tf_config import TASK_TYPES, TFConfig


@dataclasses.dataclass(frozen=True)
class Role:
    """What one task does. A program asks for `serves_only` and `evaluates` first.

    Attributes:
      trains: Computes gradients; counted by `num_trainers`.
      saves: Writes the checkpoints, summaries and results that stay.
      serves_only: Runs a TensorFlow server and does what others send; no training loop of its own.
      evaluates: Evaluates each new checkpoint, beside the training.
      coordinates: Schedules the steps that others execute.
      description: The same in words.
    """

    trains: bool = False
    saves: bool = False
    serves_only: bool = False
    evaluates: bool = False
    coordinates: bool = False
    description: str = ""


_EVALUATOR = Role(evaluates=True, description="evaluates each new checkpoint")
_PS = Role(serves_only=True, description="holds variables")
_ALONE = Role(trains=True, saves=True, description="trains alone, saves")
_COORDINATOR = Role(
    saves=True,
    coordinates=True,
    description="coordinates only: schedules steps on the workers, saves",
)
_EXECUTOR = Role(
    trains=True,
    serves_only=True,
    description="runs a server and executes the steps that it is sent",
)
_FIRST_OF_RING = Role(trains=True, saves=True, description="trains as worker 0 of the ring, saves")
_IN_RING = Role(trains=True, description="trains in the ring")
_LEGACY_CHIEF = Role(trains=True, saves=True, description="trains, saves, writes summaries")
_LEGACY_WORKER = Role(trains=True, description="trains, in its own session")


def role_of(config: TFConfig | None, way: str) -> Role:
    """Says what a task does.

    Args:
      config: A cluster that `tf_config.validate` accepts for this way; None is training alone.
      way: One of `tf_config.WAYS`.

    Returns:
      The role.
    """
    if config is None:
        return _ALONE
    if config.task_type == "evaluator":
        return _EVALUATOR
    if config.task_type == "ps":
        return _PS
    if way == "parameter_server":
        return _COORDINATOR if config.task_type == "chief" else _EXECUTOR
    if way == "multi_worker_mirrored":
        return _FIRST_OF_RING if config.is_chief else _IN_RING
    if way == "legacy":
        return _LEGACY_CHIEF if config.is_chief else _LEGACY_WORKER
    return _ALONE


def num_trainers(config: TFConfig | None, way: str) -> int:
    """Counts the tasks that compute gradients.

    Args:
      config: The cluster; None is training alone.
      way: One of `tf_config.WAYS`.

    Returns:
      The number that global_batch_size = batch_size × trainers uses; at least 1.
    """
    if config is None:
        return 1
    chiefs = int(config.has_chief and way != "parameter_server")
    return chiefs + config.num_workers


def trainer_index(config: TFConfig | None, way: str) -> int | None:
    """Gives this task's place among the trainers.

    Args:
      config: The cluster and this task; None is training alone.
      way: One of `tf_config.WAYS`.

    Returns:
      From 0 to `num_trainers` - 1, the chief first; None for a task that does not train.
    """
    if config is None:
        return 0
    if not role_of(config, way).trains:
        return None
    if config.task_type == "chief":
        return 0
    return config.task_index + int(config.has_chief and way != "parameter_server")


def sizes(config: TFConfig | None) -> dict[str, int]:
    """Counts the tasks of each type, as `result.json` states the cluster.

    Args:
      config: The cluster; None is training alone.

    Returns:
      A count for each of chief, worker and ps, and for an evaluator that the cluster names or that
      this task is; without a cluster, all zero.
    """
    counts = dict.fromkeys(TASK_TYPES, 0)
    if config is not None:
        counts |= {task_type: len(tasks) for task_type, tasks in config.cluster.items()}
        counts[config.task_type] = max(counts[config.task_type], 1)
    return counts
