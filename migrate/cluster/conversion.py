"""Converts an Estimator's cluster for each of today's strategies, and gives the reasons.

>>> from migrate.cluster.old_jobs import jobs
>>> old = {"chief": ("a:1",), "worker": ("b:1",), "ps": ("c:1",)}
>>> job = jobs.Job("mnist", "", jobs.tasks_of(old, evaluator=False))
>>> convert(job, "parameter_server").cluster["worker"]
('b:1', 'a:2')
>>> convert(job, "multi_worker_mirrored").cluster
{'chief': ('a:1',), 'worker': ('b:1',)}

The number of trainers stays the same: as many tasks compute gradients as before. The migration
guide has the topologies (https://www.tensorflow.org/guide/migrate/multi_worker_cpu_gpu_training).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from migrate.cluster.old_jobs.jobs import Cluster, Job, tasks_of
from modern.cluster import addresses, roles
from modern.cluster.tf_config import TFConfig
from modern.process import cli

WAYS = ("parameter_server", "multi_worker_mirrored")
STRATEGIES = {
    "parameter_server": "ParameterServerStrategy",
    "multi_worker_mirrored": "MultiWorkerMirroredStrategy",
}

# Keys of TF_CONFIG that RunConfig read in addition to cluster and task.
_ESTIMATORS_KEYS = ("eval_session_master", "model_dir", "service", "session_master")

AddressFn = Callable[[str, int], str]


@dataclasses.dataclass(frozen=True)
class Conversion:
    """A job's cluster under a new strategy.

    Attributes:
      way: One of `WAYS`.
      tasks: New tasks. An evaluator is the last.
      added: Names of tasks that the old job did not have.
      removed: Names of old tasks that are no longer started.
      changes: Necessary changes, in words.
    """

    way: str
    tasks: tuple[TFConfig, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changes: tuple[str, ...]

    @property
    def cluster(self) -> Cluster:
        """The addresses of each type of task."""
        return self.tasks[0].training_cluster

    @property
    def trainers(self) -> int:
        """The number of tasks that compute gradients."""
        return roles.num_trainers(self.tasks[0], self.way)


def convert(
    job: Job,
    way: str,
    *,
    address_of: AddressFn | None = None,
    chosen_addresses: Mapping[str, str] | None = None,
    evaluator: bool = False,
) -> Conversion:
    """Converts a job's cluster.

    Args:
      job: Job without errors.
      way: One of `WAYS`.
      address_of: Function that returns the address of a task at its target, or "" if only the
        running job knows it. With None, tasks keep their addresses, and new tasks are placed on the
        host of the task that saves.
      chosen_addresses: Addresses that the user chose, by name of the task.
      evaluator: If true, adds an evaluator to a job without one.

    Returns:
      The conversion.

    Raises:
      cli.UsageError: The job has no cluster to convert, or an address belongs to no task.
    """
    _require_several(job)
    old = job.cluster
    counts = (
        _served_counts(old, job.trainers) if way == "parameter_server" else _synchronous_counts(old)
    )
    cluster = _target_addresses(counts, address_of) if address_of else _kept_addresses(counts, old)
    cluster = _with_chosen_addresses(cluster, chosen_addresses or {})
    tasks = tasks_of(cluster, evaluator=job.has_evaluator or evaluator)
    old_names = {task.name for task in job.tasks}
    added_names = tuple(task.name for task in tasks if task.name not in old_names)
    removed_names = tuple(t.name for t in job.tasks if t.name not in {task.name for task in tasks})
    conversion = Conversion(way, tasks, added_names, removed_names, ())
    unplaced_names = [
        name for name in added_names if name not in {"evaluator-0", *(chosen_addresses or {})}
    ]
    changes = [
        *_changes(job, conversion),
        *_placement_changes([] if address_of else unplaced_names, job),
    ]
    return dataclasses.replace(conversion, changes=tuple(changes))


def _require_several(job: Job) -> None:
    if not job.tasks and job.workload:
        raise cli.UsageError(
            f"{job.source}: the TFJob {job.name} has one task, to which its operator gives no "
            "TF_CONFIG: it trains alone. Train with --strategy=single, or mirrored for several "
            "GPUs."
        )
    if not job.tasks:
        raise cli.UsageError(
            f"{job.source}: TF_CONFIG names no cluster: the job trains alone. Unset TF_CONFIG, and "
            "train with --strategy=single, or mirrored for several GPUs."
        )
    if not {"chief", "worker"} & set(job.cluster):
        raise cli.UsageError(
            f"{job.source}: the cluster names no chief and no worker, so nothing trains. Add them."
        )
    if job.trainers == 1 and not job.asynchronous:
        raise cli.UsageError(
            f"{job.source}: one task trains, and no ps: there is nothing to distribute. Unset "
            "TF_CONFIG, and train with --strategy=single, or mirrored for several GPUs."
        )


def _served_counts(old: Cluster, trainers: int) -> dict[str, int]:
    """Returns the tasks: a coordinator, a worker for each trainer, and the parameter servers."""
    return {"chief": 1, "worker": trainers, "ps": len(old.get("ps", ())) or 1}


def _synchronous_counts(old: Cluster) -> dict[str, int]:
    """Returns the tasks for all-reduce: all trainers, with the chief as worker 0."""
    return {t: len(old[t]) for t in ("chief", "worker") if old.get(t)}


def _target_addresses(counts: Mapping[str, int], address_of: AddressFn) -> Cluster:
    return {t: tuple(address_of(t, index) for index in range(n)) for t, n in counts.items()}


def _kept_addresses(counts: Mapping[str, int], old: Cluster) -> Cluster:
    """Keeps the addresses of old tasks, and puts new tasks on the leader's machine.

    The leader's machine has trained before, so it can train a new task too.
    """
    used_addresses = {address.lower() for tasks in old.values() for address in tasks}
    leader = (old.get("chief") or old["worker"])[0]
    host, port = leader.rsplit(":", 1)[0], addresses.split(leader)[1]
    ports = (n for n in (*range(port + 1, 65536), *range(port - 1, 1023, -1)))
    new_addresses = (f"{host}:{n}" for n in ports if f"{host}:{n}".lower() not in used_addresses)
    return {
        t: tuple(
            list(old.get(t, ()))[:n] + [next(new_addresses) for _ in range(len(old.get(t, ())), n)]
        )
        for t, n in counts.items()
    }


def _with_chosen_addresses(cluster: Cluster, chosen_addresses: Mapping[str, str]) -> Cluster:
    tasks = {f"{t}-{i}": (t, i) for t in cluster for i in range(len(cluster[t]))}
    addresses_by_type = {t: list(values) for t, values in cluster.items()}
    for name, address in chosen_addresses.items():
        if name not in tasks:
            raise cli.UsageError(f"--address={name}={address}: the tasks are {', '.join(tasks)}.")
        problem = addresses.form_problem(address)
        if problem:
            raise cli.UsageError(f"--address={name}={address}: {address!r}, {problem}.")
        task_type, index = tasks[name]
        addresses_by_type[task_type][index] = address
    all_addresses = [
        address.lower() for values in addresses_by_type.values() for address in values if address
    ]
    duplicate = next((a for a in all_addresses if all_addresses.count(a) > 1), None)
    if duplicate:
        raise cli.UsageError(f"--address: {duplicate} is the address of two tasks. Choose another.")
    return {t: tuple(values) for t, values in addresses_by_type.items()}


def _changes(job: Job, conversion: Conversion) -> list[str]:
    of_way = _served_changes if conversion.way == "parameter_server" else _synchronous_changes
    other_changes = [_dropped_key_change(line) for line in job.others]
    return [
        *of_way(job, conversion),
        *_chief_changes(job, conversion),
        *_evaluator_changes(job),
        *other_changes,
    ]


def _dropped_key_change(line: str) -> str:
    """Returns the consequence of dropping another key of TF_CONFIG, such as "model_dir: gs://a"."""
    key = line.partition(":")[0]
    if key == "rpc_layer":
        why = "TensorFlow 2 supports only grpc."
    elif key in _ESTIMATORS_KEYS:
        why = "only an Estimator read it there. Pass it to the program in another way."
    else:
        why = (
            "a training service wrote it there. Pass it in another way to a program that reads it."
        )
    return f"TF_CONFIG's {line} is left out: {why}"


def _served_changes(job: Job, conversion: Conversion) -> list[str]:
    places = {task.name: f" at {task.address}" for task in conversion.tasks if task.address}
    changes = []
    for name in (name for name in conversion.added if name != "evaluator-0"):
        why = _why_added(name, job)
        changes.append(f"One more task, {name}{places.get(name, '')}{why}")
    changes.append(
        "Workers run a server and no training loop: the program must serve there until the "
        "coordinator has finished, as modern/tasks/server.py does. So must the ps."
    )
    changes.append(
        "A lost worker may come back, and only its step is lost. A lost ps or coordinator ends the "
        "training. A restart continues from the last checkpoint."
    )
    return changes


def _why_added(name: str, job: Job) -> str:
    n = job.trainers
    if name == "chief-0":
        return (
            ", which coordinates: worker-0 saved and wrote summaries beside training, and now only "
            "trains."
        )
    if name == "ps-0":
        return ", which holds the variables: each trainer held all of them."
    replacement = f"{n} trainers take {n} workers" if n > 1 else "1 trainer takes 1 worker"
    consequence = f"{n - 1} would train" if n > 1 else "nothing trains"
    return (
        f". The Estimator's chief trained, and the coordinator does not: {replacement} and the "
        f"chief. Without it {consequence}."
    )


def _synchronous_changes(job: Job, conversion: Conversion) -> list[str]:
    changes = []
    ps_names = [name for name in conversion.removed if name.startswith("ps-")]
    if ps_names:
        changes.append(
            f"{', '.join(ps_names)}: not started, and not named. Each of the {conversion.trainers} "
            "trainers holds all variables and optimizer slots, which were split over the ps: check "
            "that its memory suffices."
        )
        changes.append(
            "One lost task ends all: restart them together (BackupAndRestore, or the last "
            "checkpoint). With ps, the others continued."
        )
    if "chief" in job.cluster:
        changes.append("The chief trains as before, as the first synchronous worker.")
    changes.append(
        "Dataset.batch takes the global size where TensorFlow splits the dataset over the tasks "
        "(model.fit of a plain one), and the task's own in distribute_datasets_from_function. A "
        "task with several GPUs trains on all of them and splits its batch."
    )
    return changes


def _chief_changes(job: Job, conversion: Conversion) -> list[str]:
    if job.tasks[0].chief_name != "master":
        return []
    prefix = "The master evaluated each checkpoint by itself, and "
    return [
        '"master" is called "chief": TensorFlow 2 accepts no other name.',
        f"{prefix}the evaluator does that now."
        if conversion.tasks[-1].task_type == "evaluator"
        else f"{prefix}no task does that now. --evaluator adds one that does.",
    ]


def _evaluator_changes(job: Job) -> list[str]:
    if not job.has_evaluator:
        return []
    suffix = " and is not named in it any more" if job.names_evaluator else ""
    return [
        f"The evaluator stays outside of the cluster{suffix}: a strategy waits for every task that "
        "is named."
    ]


def _placement_changes(names: Sequence[str], job: Job) -> list[str]:
    if not names:
        return []
    leader = next(task.name for task in job.tasks if task.is_chief)
    return [
        f"{' and '.join(names)} beside the old {leader}, on the next port that the cluster leaves "
        f"free: that machine has trained so far. --address={names[0]}=HOST:PORT puts it elsewhere."
    ]
