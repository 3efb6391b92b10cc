"""A job whose cluster is to be converted: its tasks, and what is wrong with them.

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

from migrate.cluster.found.workload import Workload
from modern.cluster import roles, tf_config
from modern.cluster.tf_config import TFConfig

Cluster = dict[str, tuple[str, ...]]


@dataclasses.dataclass(frozen=True)
class Job:
    """A job as it was found.

    Attributes:
      name: Of the job, its file or its folder.
      source: Where it was read, for messages.
      tasks: All of its tasks, the evaluator last; none for a job without a cluster, or one that
        cannot be read.
      given: The names of the tasks whose TF_CONFIG was found; those of a TFJob are its operator's.
      errors: Why it cannot be converted.
      warnings: What is wrong besides.
      workload: What runs in the tasks, if it was read from a TFJob.
      train_distribute: RunConfig's strategy, one of `tf_config.TRAIN_DISTRIBUTE`.
      names_evaluator: Whether the cluster names its evaluator, as Estimator tolerated.
      others: What TF_CONFIG has besides cluster and task, such as "model_dir: gs://a".
    """

    name: str
    source: str
    tasks: tuple[TFConfig, ...] = ()
    given: tuple[str, ...] = ()
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
        """How many tasks computed gradients; under an Estimator the chief is one."""
        return roles.num_trainers(self.tasks[0] if self.tasks else None, "legacy")

    @property
    def asynchronous(self) -> bool:
        """Whether each trainer's batch is an update of its own, on parameter servers."""
        return "ps" in self.cluster

    @property
    def has_evaluator(self) -> bool:
        """Whether one of the tasks is an evaluator."""
        return any(task.task_type == "evaluator" for task in self.tasks)


def tasks_of(
    cluster: Cluster, *, evaluator: bool, chief_name: str = "chief"
) -> tuple[TFConfig, ...]:
    """Lists a cluster's tasks.

    Args:
      cluster: The addresses of each type of task, without an evaluator.
      evaluator: Whether there is one besides.
      chief_name: What TF_CONFIG calls the chief.

    Returns:
      The tasks: chief, workers, parameter servers, evaluator.
    """
    named = {t: cluster[t] for t in ("chief", "worker", "ps") if cluster.get(t)}
    pairs = [(t, index) for t, addresses in named.items() for index in range(len(addresses))]
    if evaluator:
        pairs.append(("evaluator", 0))
    return tuple(TFConfig(named, t, index, chief_name) for t, index in pairs)


def from_texts(
    name: str,
    texts: Sequence[tuple[str, str]],
    *,
    train_distribute: str | None = None,
    evaluator: bool = False,
) -> Job:
    """Puts a job together from the TF_CONFIG of one or more of its tasks.

    Args:
      name: The job's.
      texts: Where each was found, and the text.
      train_distribute: RunConfig's strategy; None: what the cluster allows.
      evaluator: Whether an evaluator runs, which no other task's TF_CONFIG tells.

    Returns:
      The job. What is wrong with the texts, or between them, is among its errors.
    """
    source = texts[0][0] if len(texts) == 1 else f"{len(texts)} TF_CONFIGs in {name}"
    found: list[tuple[str, TFConfig]] = []
    errors = []
    for where, text in texts:
        try:
            config = tf_config.parse(text)
        except tf_config.TFConfigError as error:
            errors.append(f"{where}: {error}{_of_a_shell(text)}")
        else:
            if config:
                found.append((where, config))
    if not found:
        return Job(name, source, errors=tuple(errors))
    alone = [(where, config) for where, config in found if not config.training_cluster]
    together = [(where, config) for where, config in found if config.training_cluster] or alone
    errors += _disagreements(together)
    first = together[0][1]
    named = any("evaluator" in config.cluster for _, config in found)
    # A master evaluates by itself.
    evaluator = evaluator and first.chief_name != "master"
    has_evaluator = evaluator or named or any(c.task_type == "evaluator" for _, c in found)
    tasks = tasks_of(first.training_cluster, evaluator=has_evaluator, chief_name=first.chief_name)
    given = tuple(config.name for _, config in found)
    lonely = [
        f"{where} ({config.name}) names only itself. Give it the cluster that the others have: "
        "without a chief in it, it is refused"
        for where, config in alone
        if together is not alone
    ]
    return Job(
        name,
        source,
        tasks,
        given,
        tuple(errors),
        (*lonely, *_absent(tasks, given)),
        train_distribute=train_distribute or inferred(first),
        names_evaluator=named,
        others=tuple(dict.fromkeys(line for _, text in texts for line in _others(text))),
    )


def _of_a_shell(text: str) -> str:
    """A hint for a value that the shell has yet to complete."""
    if "$" not in text:
        return ""
    return (
        ". A variable of the shell stands in it: let the script come that far, and give what `echo "
        '"$TF_CONFIG"` prints'
    )


def _others(text: str) -> Iterator[str]:
    """The keys that only Estimator read; `environment` does not concern the program."""
    try:
        content = json.loads(text)
    except ValueError:
        return  # said already
    for key, value in content.items() if isinstance(content, dict) else ():
        if key not in ("cluster", "task", "environment"):
            yield f"{key}: {value if isinstance(value, str) else json.dumps(value)}"


def inferred(config: TFConfig) -> str:
    """The strategy that an Estimator with this cluster must have had in its RunConfig."""
    several = sum(map(len, config.training_cluster.values())) > 1
    return "collective_all_reduce" if several and not config.num_ps else "none"


def problems(job: Job, way: str) -> list[str]:
    """Says what is wrong with a job as it stands.

    Args:
      job: The job.
      way: How it would be trained: one of `tf_config.WAYS`.

    Returns:
      Messages that say what to change; none where all is well.
    """
    found = [*job.errors, *job.warnings]
    if job.errors and not job.tasks:
        return found
    for task in job.tasks or [None]:
        try:
            tf_config.validate(task, way, train_distribute=job.train_distribute, check_port=False)
        except tf_config.TFConfigError as error:
            if str(error) not in found:
                found.append(str(error))
    return found


def _disagreements(found: Sequence[tuple[str, TFConfig]]) -> list[str]:
    """Tasks of one job must name the same cluster, and be different ones."""
    messages = []
    where_first, first = found[0]
    seen: dict[str, str] = {}
    for where, config in found:
        if config.training_cluster != first.training_cluster:
            messages.append(
                f"{where} ({config.name}) names another cluster than {where_first} ({first.name}): "
                f"{_difference(config.training_cluster, first.training_cluster)}. The cluster must "
                "be the same in the TF_CONFIG of every task"
            )
        if config.name in seen and where != seen[config.name]:
            messages.append(
                f"{where} and {seen[config.name]} both make their process {config.name}. Give each "
                "task its own type and index"
            )
        seen.setdefault(config.name, where)
    return messages


def _difference(one: Cluster, other: Cluster) -> str:
    for task_type in sorted({*one, *other}):
        mine, others = one.get(task_type, ()), other.get(task_type, ())
        if mine != others:
            return f'"{task_type}" is {list(mine)} there and {list(others)} here'
    raise AssertionError("they are equal")


def _absent(tasks: Sequence[TFConfig], given: Sequence[str]) -> tuple[str, ...]:
    """The tasks that a folder of several has no TF_CONFIG for; the training would wait for them."""
    missing = [task.name for task in tasks if task.name not in given]
    if len(given) < 2 or not missing:
        return ()
    return (
        f"{', '.join(missing)}: named in the cluster, and no TF_CONFIG of such a task was found. "
        "Add it, or remove the task from the cluster of every task; the others wait for it",
    )
