"""Describes a job whose cluster is converted: its tasks, and their problems.

>>> from modern.cluster import tf_config
>>> text = '{"cluster": {"chief": ["a:1"], "worker": ["b:1"], "ps": ["c:1"]}, '
>>> job = from_texts("mnist", [("a.json", text + '"task": {"type": "chief", "index": 0}}')])
>>> [task.name for task in job.tasks], job.trainers, job.asynchronous
(['chief-0', 'worker-0', 'ps-0'], 2, True)
>>> problems(job, "multi_worker_mirrored")[0].partition(", and")[0]
'TF_CONFIG names 1 ps'
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence

from migrate.cluster.old_jobs.workload import Workload
from modern.cluster import roles, tf_config
from modern.cluster.tf_config import TFConfig

Cluster = dict[str, tuple[str, ...]]


@dataclasses.dataclass(frozen=True)
class Job:
    """A job of the Estimator era.

    Attributes:
      name: Name of the job, its file or its folder.
      source: Place that it was read from, for messages.
      tasks: All of its tasks, the evaluator last. Empty for a job without a cluster, or one that
        cannot be read.
      read_tasks: Names of the tasks whose TF_CONFIG was read. For a TFJob, names of all tasks.
      errors: Reasons why it cannot be converted.
      warnings: Other problems.
      workload: Workload of the tasks, if it was read from a TFJob.
      train_distribute: RunConfig's strategy, one of `tf_config.TRAIN_DISTRIBUTE`.
      names_evaluator: True if the cluster names its evaluator, as Estimator tolerated.
      others: Keys of TF_CONFIG other than cluster and task, such as "model_dir: gs://a".
    """

    name: str
    source: str
    tasks: tuple[TFConfig, ...] = ()
    read_tasks: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    workload: Workload | None = None
    train_distribute: str = "none"
    names_evaluator: bool = False
    others: tuple[str, ...] = ()

    @property
    def cluster(self) -> Cluster:
        """The addresses of each type of task, without the evaluator."""
        return self.tasks[0].training_cluster if self.tasks else {}

    @property
    def trainers(self) -> int:
        """The number of tasks that computed gradients, including an Estimator's chief."""
        return roles.num_trainers(self.tasks[0] if self.tasks else None, "legacy")

    @property
    def asynchronous(self) -> bool:
        """True if each trainer's batch is a separate update, on parameter servers."""
        return "ps" in self.cluster

    @property
    def has_evaluator(self) -> bool:
        """True if one of the tasks is an evaluator."""
        return any(task.task_type == "evaluator" for task in self.tasks)


def tasks_of(
    cluster: Cluster, *, evaluator: bool, chief_name: str = "chief"
) -> tuple[TFConfig, ...]:
    """Lists a cluster's tasks.

    Args:
      cluster: Addresses of each type of task, without an evaluator.
      evaluator: If true, adds an evaluator.
      chief_name: Name of the chief in TF_CONFIG.

    Returns:
      The tasks: chief, workers, parameter servers, evaluator.
    """
    ordered_cluster = {t: cluster[t] for t in ("chief", "worker", "ps") if cluster.get(t)}
    pairs = [
        (t, index) for t, addresses in ordered_cluster.items() for index in range(len(addresses))
    ]
    if evaluator:
        pairs.append(("evaluator", 0))
    return tuple(TFConfig(ordered_cluster, t, index, chief_name) for t, index in pairs)


def from_texts(
    name: str,
    texts: Sequence[tuple[str, str]],
    *,
    train_distribute: str | None = None,
    evaluator: bool = False,
) -> Job:
    """Makes a job from the TF_CONFIG of one or more of its tasks.

    Args:
      name: Name of the job.
      texts: Pairs of a place and the text that was read there.
      train_distribute: RunConfig's strategy. None infers it from the cluster.
      evaluator: True if an evaluator runs that no other task's TF_CONFIG mentions.

    Returns:
      The job. Its errors include problems of the texts, and contradictions between them.
    """
    source = texts[0][0] if len(texts) == 1 else f"{len(texts)} TF_CONFIGs in {name}"
    configs: list[tuple[str, TFConfig]] = []
    errors = []
    for where, text in texts:
        try:
            config = tf_config.parse(text)
        except tf_config.TFConfigError as error:
            errors.append(f"{where}: {error}{_shell_hint(text)}")
        else:
            if config:
                configs.append((where, config))
    if not configs:
        return Job(name, source, errors=tuple(errors))
    lone_configs = [(where, config) for where, config in configs if not config.training_cluster]
    cluster_configs = [
        (where, config) for where, config in configs if config.training_cluster
    ] or lone_configs
    errors += _disagreements(cluster_configs)
    first_config = cluster_configs[0][1]
    names_evaluator = any("evaluator" in config.cluster for _, config in configs)
    # A master evaluates by itself.
    evaluator = evaluator and first_config.chief_name != "master"
    has_evaluator = (
        evaluator or names_evaluator or any(c.task_type == "evaluator" for _, c in configs)
    )
    tasks = tasks_of(
        first_config.training_cluster, evaluator=has_evaluator, chief_name=first_config.chief_name
    )
    read_tasks = tuple(config.name for _, config in configs)
    lone_warnings = [
        f"{where} ({config.name}) names only itself. Give it the cluster that the others have: "
        "without a chief in it, it is refused"
        for where, config in lone_configs
        if cluster_configs is not lone_configs
    ]
    return Job(
        name,
        source,
        tasks,
        read_tasks,
        tuple(errors),
        (*lone_warnings, *_missing_task_warnings(tasks, read_tasks)),
        train_distribute=train_distribute or inferred_strategy(first_config),
        names_evaluator=names_evaluator,
        others=tuple(dict.fromkeys(line for _, text in texts for line in _other_keys(text))),
    )


def _shell_hint(text: str) -> str:
    """Returns a hint for a value with an unexpanded shell variable."""
    if "$" not in text:
        return ""
    return (
        ". It contains a shell variable: run the script up to there, and give the output of "
        '`echo "$TF_CONFIG"`'
    )


def _other_keys(text: str) -> Iterator[str]:
    """Yields the keys that only Estimator read. `environment` does not concern the program."""
    try:
        content = json.loads(text)
    except (RecursionError, ValueError):
        return  # Already reported as an error.
    for key, value in content.items() if isinstance(content, dict) else ():
        if key not in ("cluster", "task", "environment"):
            yield f"{key}: {value if isinstance(value, str) else json.dumps(value)}"


def inferred_strategy(config: TFConfig) -> str:
    """Returns the strategy that the RunConfig of an Estimator with this cluster must have had."""
    is_cluster = sum(map(len, config.training_cluster.values())) > 1
    return "collective_all_reduce" if is_cluster and not config.num_ps else "none"


def problems(job: Job, way: str) -> list[str]:
    """Returns the problems of a job in its present form.

    Args:
      job: The job.
      way: Way to train it: one of `tf_config.WAYS`.

    Returns:
      Messages that name the necessary changes. Empty without problems.
    """
    messages = [*job.errors, *job.warnings]
    if job.errors and not job.tasks:
        return messages
    for task in job.tasks or [None]:
        try:
            tf_config.validate(task, way, train_distribute=job.train_distribute, check_port=False)
        except tf_config.TFConfigError as error:
            if str(error) not in messages:
                messages.append(str(error))
    return messages


def _disagreements(configs: Sequence[tuple[str, TFConfig]]) -> list[str]:
    """Returns messages on tasks that name different clusters, or are the same task twice."""
    messages = []
    where_first, first = configs[0]
    places: dict[str, str] = {}
    for where, config in configs:
        if config.training_cluster != first.training_cluster:
            messages.append(
                f"{where} ({config.name}) names another cluster than {where_first} ({first.name}): "
                f"{_difference(config.training_cluster, first.training_cluster)}. The cluster must "
                "be the same in the TF_CONFIG of every task"
            )
        if config.name in places and where != places[config.name]:
            messages.append(
                f"{where} and {places[config.name]} both make their process {config.name}. Give "
                "each task its own type and index"
            )
        places.setdefault(config.name, where)
    return messages


def _difference(left: Cluster, right: Cluster) -> str:
    for task_type in sorted({*left, *right}):
        left_addresses, right_addresses = left.get(task_type, ()), right.get(task_type, ())
        if left_addresses != right_addresses:
            return f'"{task_type}" is {list(left_addresses)} there and {list(right_addresses)} here'
    raise AssertionError("they are equal")


def _missing_task_warnings(tasks: Sequence[TFConfig], read_tasks: Sequence[str]) -> tuple[str, ...]:
    """Returns a warning if a folder has TF_CONFIGs of several tasks, but not of all.

    The training would wait for the others.
    """
    missing = [task.name for task in tasks if task.name not in read_tasks]
    if len(read_tasks) < 2 or not missing:
        return ()
    return (
        f"{', '.join(missing)}: named in the cluster, and no TF_CONFIG of such a task was found. "
        "Add it, or remove the task from the cluster of every task. Otherwise the others wait for "
        "it",
    )
