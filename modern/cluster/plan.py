"""The tasks of a local cluster: type, index, address and TF_CONFIG of each.

>>> for task in assign({"chief": 1, "worker": 1}, "chief", evaluator=True):
...     print(task.task_type, task.index, task.address is not None)
chief 0 True
worker 0 True
evaluator 0 False
"""

import dataclasses
import shutil
from collections.abc import Mapping, Sequence

from modern.cluster.ports import free_ports
from modern.cluster.tf_config import TFConfig


@dataclasses.dataclass(frozen=True)
class Assignment:
    """A task: its type, its index, its "host:port" (None for an evaluator) and its TF_CONFIG."""

    task_type: str
    index: int
    address: str | None
    tf_config: str


def check(command: Sequence[str], counts: Mapping[str, int], env: Mapping[str, str]) -> None:
    """Checks the sizes and the command of a cluster before any process starts.

    Args:
      command: The program and its arguments.
      counts: Number of tasks of each type, without the evaluator.
      env: The environment whose PATH is searched for the program.

    Raises:
      ValueError: A number is negative, the cluster has no trainer, or the program cannot be found.
    """
    for task_type, count in counts.items():
        if count < 0:
            raise ValueError(f"{task_type}={count}: a number of tasks cannot be negative")
    if not sum(count for task_type, count in counts.items() if task_type != "ps"):
        raise ValueError(
            f"a cluster of {counts.get('ps', 0)} ps, no chief and no worker trains nothing: ask "
            "for a chief or at least one worker"
        )
    if not command:
        raise ValueError("no command was given for the tasks to run")
    if shutil.which(command[0], path=env.get("PATH")) is None:
        raise ValueError(f"the command {command[0]!r} cannot be found or is not executable")


def assign(counts: Mapping[str, int], chief_name: str, evaluator: bool) -> list[Assignment]:
    """Gives each task a free port and its TF_CONFIG.

    Args:
      counts: Number of tasks of each type, without the evaluator.
      chief_name: The key of `counts` that is the chief: "chief" or "master".
      evaluator: Whether to add an evaluator, which no task's cluster names.

    Returns:
      The tasks, in the order of `counts`, the evaluator last.
    """
    ports = iter(free_ports(sum(counts.values())))
    addresses = {
        task_type: tuple(f"localhost:{next(ports)}" for _ in range(count))
        for task_type, count in counts.items()
        if count
    }
    cluster = {"chief" if t == chief_name else t: tasks for t, tasks in addresses.items()}
    tasks: list[tuple[str, int, str | None]] = [
        (t, index, address) for t in addresses for index, address in enumerate(addresses[t])
    ]
    if evaluator:
        tasks.append(("evaluator", 0, None))
    return [
        Assignment(
            task_type,
            index,
            address,
            TFConfig(
                cluster, "chief" if task_type == chief_name else task_type, index, chief_name
            ).to_json(original_names=True),
        )
        for task_type, index, address in tasks
    ]


def without_proxy(env: Mapping[str, str]) -> dict[str, str]:
    """Keeps gRPC from sending local traffic to a web proxy, which would make the tasks hang.

    gRPC obeys http_proxy even for localhost, unless no_grpc_proxy, or else no_proxy, excepts it
    (seen in TensorFlow 2.21).
    https://github.com/grpc/grpc/blob/master/doc/environment_variables.md

    Args:
      env: The environment that the tasks would get.

    Returns:
      The variable to set in it.
    """
    names = ("no_grpc_proxy", "no_proxy", "NO_PROXY")
    exceptions = next((env[name] for name in names if env.get(name)), "")
    return {"no_grpc_proxy": ",".join(filter(None, [exceptions, "localhost"]))}
