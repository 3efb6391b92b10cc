"""The GPUs of each task of a local cluster, as CUDA_VISIBLE_DEVICES.

>>> tasks = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0)]
>>> division = divide(["0", "1", "2", "3"], tasks, chief_trains=False)
>>> division.of("worker", 1), division.of("chief", 0)
(('2', '3'), ())

A process takes all GPUs that it sees, and all their memory. So the tasks on one machine must see
different GPUs, and those that compute no gradients must see none.
"""

import dataclasses
import os
import subprocess
from collections.abc import Mapping, Sequence

CHOICES = ("all", "auto", "estimator")
VARIABLE = "CUDA_VISIBLE_DEVICES"
# Makes TensorFlow take memory as it needs it.
_GROWTH = "TF_FORCE_GPU_ALLOW_GROWTH"
_SMI_TIMEOUT_S = 30.0


@dataclasses.dataclass(frozen=True)
class Division:
    """The GPUs of each trainer.

    Attributes:
      each: The GPUs of each trainer, by type and index. Other tasks have none.
      unused: The GPUs that are left over, because all trainers must have the same number.
    """

    each: Mapping[tuple[str, int], tuple[str, ...]]
    unused: tuple[str, ...] = ()

    def of(self, task_type: str, index: int) -> tuple[str, ...]:
        """Returns the GPUs of a task."""
        return self.each.get((task_type, index), ())

    def variables(
        self, task_type: str, index: int, environment: Mapping[str, str] = os.environ
    ) -> dict[str, str]:
        """Returns the environment variables of a task. Without any GPU, there are none.

        Args:
          task_type: The type of the task.
          index: Its index.
          environment: The environment of the launcher. A value for the growth of memory is kept.
        """
        if not self.each:
            return {}
        variables = {VARIABLE: ",".join(self.of(task_type, index))}
        return variables if _GROWTH in environment else {**variables, _GROWTH: "true"}

    def describe(self) -> str:
        """Returns a line for the user."""
        if not self.each:
            return "no GPU is visible, so all tasks compute on CPUs"
        parts = [f"{t}-{i}: {','.join(gpus)}" for (t, i), gpus in self.each.items()]
        unused = f" (unused: {','.join(self.unused)})" if self.unused else ""
        return f"GPUs of {'; '.join(parts)}{unused}"


def visible(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Returns the GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them.

    Args:
      environment: The environment. Without CUDA_VISIBLE_DEVICES, nvidia-smi lists all GPUs. Without
        nvidia-smi there are none.
    """
    if VARIABLE in environment:
        names = [name.strip() for name in environment[VARIABLE].split(",")]
        # CUDA ignores all names from the first invalid one on, such as -1.
        ends = [i for i, name in enumerate(names) if not name or name.startswith("-")]
        return names[: ends[0]] if ends else names
    try:
        process = subprocess.run(
            ["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_SMI_TIMEOUT_S,
            env=dict(environment),
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.strip() for line in process.stdout.splitlines() if line.strip().isdigit()]


def divide(gpus: Sequence[str], tasks: Sequence[tuple[str, int]], chief_trains: bool) -> Division:
    """Divides the GPUs evenly among the trainers.

    Args:
      gpus: The names of the GPUs.
      tasks: Type and index of each task.
      chief_trains: Whether a chief gets GPUs in a cluster with parameter servers, too. An
        Estimator's chief trains there, and that of ParameterServerStrategy only coordinates.

    Returns:
      The same number of GPUs for each trainer, because strategies require it.

    Raises:
      ValueError: There are fewer GPUs than trainers.
    """
    if not gpus:
        return Division({})
    has_ps = any(task_type == "ps" for task_type, _ in tasks)
    types = {"worker"} | (set() if has_ps and not chief_trains else {"chief", "master"})
    trainers = [task for task in tasks if task[0] in types]
    count = len(gpus) // max(len(trainers), 1)
    if trainers and not count:
        raise ValueError(
            f"--devices: {len(gpus)} GPUs ({','.join(gpus)}) are too few for {len(trainers)} "
            "trainers: start fewer workers, or make more GPUs visible"
        )
    each = {
        task: tuple(gpus[number * count : (number + 1) * count])
        for number, task in enumerate(trainers)
    }
    return Division(each, tuple(gpus[len(trainers) * count :]))
