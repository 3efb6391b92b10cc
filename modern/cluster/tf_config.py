"""TF_CONFIG, the variable that tells a process its cluster and its task: parsing and validation.

Every training program calls `load` and then `validate` before it starts a server. A mistake in the
variable then ends the program with one message that tells the user how to correct it. Without the
check the process would wait for peers that never come.

>>> text = '{"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": 1}}'
>>> config = parse(text)
>>> config.address, config.num_workers, config.is_chief
('b:2222', 2, False)
>>> validate(config, "multi_worker_mirrored", check_port=False)

https://www.tensorflow.org/guide/distributed_training describes the format under "Setting up the
TF_CONFIG environment variable". As tf.estimator did, this module accepts the old name `master` for
`chief`, an index written as a string, and keys other than `cluster` and `task`.
"""

import contextlib
import dataclasses
import difflib
import errno
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from modern.cluster import addresses

VARIABLE = "TF_CONFIG"
TASK_TYPES = ("chief", "worker", "ps", "evaluator")
WAYS = ("single", "mirrored", "multi_worker_mirrored", "parameter_server", "legacy")
TRAIN_DISTRIBUTE = ("none", "mirrored", "collective_all_reduce", "parameter_server")

# Far more than any cluster needs: a cluster has three levels of JSON, and an address has at most
# 260 characters.
_MOST_CHARACTERS = 1 << 20
_MOST_LEVELS = 50
_EXAMPLE = (
    '{"cluster": {"worker": ["host1:2222", "host2:2222"]}, "task": {"type": "worker", "index": 0}}'
)


class TFConfigError(ValueError):
    """TF_CONFIG is malformed or does not fit the strategy. The message tells how to correct it."""


@dataclasses.dataclass(frozen=True)
class TFConfig:
    """A cluster and the task of this process in it.

    Attributes:
      cluster: The addresses, "host:port", of each task type. An old `master` is a `chief` here.
      task_type: One of `TASK_TYPES`.
      task_index: The index among the tasks of that type, from 0.
      chief_name: The name of the chief in TF_CONFIG: "chief", or "master", its old name.
    """

    cluster: dict[str, tuple[str, ...]]
    task_type: str
    task_index: int
    chief_name: str = "chief"

    @property
    def name(self) -> str:
        """The name of the task in file names and messages, such as "worker-0"."""
        return f"{self.task_type}-{self.task_index}"

    @property
    def address(self) -> str | None:
        """The "host:port" of this task. None for an evaluator that the cluster does not name."""
        tasks = self.cluster.get(self.task_type, ())
        return tasks[self.task_index] if self.task_index < len(tasks) else None

    @property
    def num_workers(self) -> int:
        """The number of tasks of type worker, without the chief."""
        return len(self.cluster.get("worker", ()))

    @property
    def num_ps(self) -> int:
        """The number of parameter servers."""
        return len(self.cluster.get("ps", ()))

    @property
    def has_chief(self) -> bool:
        """True if the cluster names a chief (or master)."""
        return bool(self.cluster.get("chief"))

    @property
    def is_chief(self) -> bool:
        """True if this task saves: the chief, or worker 0 of a cluster without a chief."""
        leader = "chief" if self.has_chief else "worker"
        return (self.task_type, self.task_index) == (leader, 0)

    @property
    def chief_address(self) -> str | None:
        """The address of the task that saves. None in a cluster without chief and workers."""
        leaders = self.cluster.get("chief") or self.cluster.get("worker") or (None,)
        return leaders[0]

    @property
    def training_cluster(self) -> dict[str, tuple[str, ...]]:
        """The cluster without its evaluator, as ClusterSpec needs it.

        TensorFlow's strategies wait for every task in the spec. They would wait forever for an
        evaluator, which runs no server.
        """
        return {name: tasks for name, tasks in self.cluster.items() if name != "evaluator"}

    def to_json(self, *, original_names: bool = False) -> str:
        """Returns the value of TF_CONFIG for this task.

        Args:
          original_names: Whether the chief keeps its name in TF_CONFIG, which may be "master". If
            false, it is "chief", the only name that the strategies of TensorFlow 2 accept.

        Returns:
          JSON text, which `parse` reads.
        """
        names = {"chief": self.chief_name} if original_names else {}
        return json.dumps(
            {
                "cluster": {names.get(t, t): list(tasks) for t, tasks in self.cluster.items()},
                "task": {
                    "type": names.get(self.task_type, self.task_type),
                    "index": self.task_index,
                },
            }
        )


def load(environ: Mapping[str, str] = os.environ) -> TFConfig | None:
    """Reads TF_CONFIG from the environment.

    Args:
      environ: The environment to read.

    Returns:
      The configuration. None if the variable is unset or describes no cluster.

    Raises:
      TFConfigError: The variable is set and wrong.
    """
    text = environ.get(VARIABLE, "")
    return parse(text) if text.strip() else None


def parse(text: str) -> TFConfig | None:
    """Parses a value of TF_CONFIG and runs all checks that do not depend on the strategy.

    Args:
      text: The JSON text.

    Returns:
      The configuration, or None if the text describes one machine without a cluster: `{}`, an
      object with neither cluster nor task type, or an explicitly empty cluster whose task is a
      chief, master or worker 0. Managed training services set the last form for a job on a single
      machine, and tf.estimator then trained locally.

    Raises:
      TFConfigError: The text is not JSON or not an object, has no cluster or no task, names an
        unknown task type, an index out of range, two evaluators, both `master` and `chief`, several
        chiefs, an address twice, or an address that is not "host:port".
    """
    content = _json(text)
    if not isinstance(content, dict):
        _fail(f"must be a JSON object, and is {_short(content)}. Write it like {_EXAMPLE}")
    task = content.get("task") or {}
    if not isinstance(task, dict):
        _fail(
            f'"task" must be an object such as {{"type": "worker", "index": 0}}, not {_short(task)}'
        )
    if not content.get("cluster"):
        _without_cluster(content, task)
        return None
    if not task.get("type"):
        _fail(
            'names a cluster but no task, so this process cannot know which one it is. Add "task": '
            '{"type": "worker", "index": 0}, with the type and index of this process'
        )
    cluster, chief_name = _cluster(content["cluster"])
    task_type, index = _task(task, cluster, chief_name)
    return TFConfig(cluster, task_type, index, chief_name)


def validate(
    config: TFConfig | None,
    way: str,
    *,
    train_distribute: str = "none",
    check_port: bool = True,
    who: str = "",
) -> None:
    """Checks that a cluster fits the way of training, before any server starts.

    Args:
      config: The result of `load`. None for training alone.
      way: One of `WAYS`. The first four are values of the flag --strategy, "legacy" is Estimator.
      train_distribute: The strategy of RunConfig for "legacy": one of `TRAIN_DISTRIBUTE`.
      check_port: Whether to check that this task's port is free. Only done if the task will serve
        on it and its host is this machine.
      who: The name of the program in messages. Its flag --strategy by default.

    Raises:
      TFConfigError: The cluster does not fit, or the port is taken. The message tells how to
        correct it.
      ValueError: `way` or `train_distribute` is unknown.
    """
    if way not in WAYS or train_distribute not in TRAIN_DISTRIBUTE:
        raise ValueError(f"unknown way {way!r} or train_distribute {train_distribute!r}")
    if config is None:
        if way == "parameter_server":
            raise TFConfigError(
                "--strategy=parameter_server needs a cluster, and TF_CONFIG is not set. Set it (a "
                "chief, at least one worker and one ps), let `python -m modern.launch` do that on "
                "this machine, or train alone with --strategy=single"
            )
        return
    if way == "legacy":
        _validate_legacy(config, train_distribute)
    elif way in ("single", "mirrored"):
        _require_one_trainer(config, f"--strategy={way}")
    elif way == "multi_worker_mirrored":
        _require_collective(config, who or "--strategy=multi_worker_mirrored")
    else:
        _validate_parameter_server(config, who)
    if check_port and _serves(config, way):
        _require_free_port(config)


def _fail(message: str) -> NoReturn:
    raise TFConfigError(f"{VARIABLE} {message}")


def _short(value: Any) -> str:
    """Returns a value in one line of at most 80 characters, all of them printable."""
    text = " ".join((value if isinstance(value, str) else json.dumps(value))[:1000].split())
    if not text.isprintable():
        text = json.dumps(text)
    return text if len(text) <= 80 else text[:77] + "..."


def _json(text: str) -> Any:
    """Returns the content of a JSON text, of limited length and depth."""
    if len(text) > _MOST_CHARACTERS:
        _fail(f"has {len(text)} characters, more than {_MOST_CHARACTERS}. Write only the cluster")
    try:
        content = json.loads(text, object_pairs_hook=_object)
    except TFConfigError:
        raise
    except (RecursionError, ValueError) as error:
        _fail(f"is not JSON ({error}): {_short(text)}. Write it like {_EXAMPLE}")
    level = [content]
    for _ in range(_MOST_LEVELS):
        level = [item for value in level for item in _items(value)]
    if level:
        _fail(f"is nested in more than {_MOST_LEVELS} levels: {_short(text)}")
    return content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for n, key in enumerate(keys) if key in keys[:n])
        _fail(f'has the key "{_short(duplicate)}" twice. Keep one of them')
    return content


def _items(value: Any) -> Iterator[Any]:
    """Yields the items of an object or a list. Refuses half of a character in a string."""
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        _fail(f"has the text {_short(value)}, which is not Unicode. Correct it")
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        yield from value.values() if isinstance(value, dict) else value


def _without_cluster(content: dict[str, Any], task: dict[str, Any]) -> None:
    """Accepts a missing cluster where it can only mean one machine. Raises an error otherwise."""
    if not task.get("type"):
        return
    # The index may be a string, which tf.estimator accepted, too.
    is_only_task = (
        task["type"] in ("chief", "master", "worker") and str(task.get("index", 0)) == "0"
    )
    if is_only_task and ("cluster" in content or content.get("environment") == "cloud"):
        return
    _fail(
        f'names the task {_short(task)} but no cluster. Add "cluster" with the addresses of all '
        f"tasks, like {_EXAMPLE}, or unset {VARIABLE} to train on this machine alone"
    )


def _cluster(raw: Any) -> tuple[dict[str, tuple[str, ...]], str]:
    """Returns the cluster, with `master` renamed to `chief`, and the original name of the chief."""
    if not isinstance(raw, dict):
        _fail(f'"cluster" must be an object of task types with their addresses, not {_short(raw)}')
    cluster: dict[str, tuple[str, ...]] = {}
    for task_type, hosts in raw.items():
        _check_type(task_type, '"cluster"')
        if not isinstance(hosts, list):
            _fail(f'cluster "{task_type}" must be a list of "host:port", not {_short(hosts)}')
        for address in hosts:
            problem = addresses.form_problem(address)
            if problem:
                _fail(f'has the address {_short(address)} of "{task_type}", {problem}')
        if hosts:
            cluster[task_type] = tuple(hosts)
    _check_counts(cluster)
    chief_name = "master" if "master" in cluster else "chief"
    return {"chief" if t == "master" else t: tasks for t, tasks in cluster.items()}, chief_name


def _check_counts(cluster: dict[str, tuple[str, ...]]) -> None:
    if "master" in cluster and "chief" in cluster:
        _fail('names both "chief" and "master", which are one role. Keep "chief" and drop "master"')
    for task_type in ("chief", "master"):
        if len(cluster.get(task_type, ())) > 1:
            _fail(
                f'names {len(cluster[task_type])} tasks "{task_type}": there is exactly one. Make '
                'the others "worker"'
            )
    if len(cluster.get("evaluator", ())) > 1:
        _fail(
            f"names {len(cluster['evaluator'])} evaluators: at most one may run. Remove the others"
        )
    groups: dict[str, list[str]] = {}
    for address in (address for tasks in cluster.values() for address in tasks):
        groups.setdefault(addresses.normalized(address), []).append(address)
    for group in groups.values():
        _check_distinct(group)


def _check_distinct(equal_addresses: list[str]) -> None:
    """Refuses several addresses that are one host and port."""
    if len(equal_addresses) < 2:
        return
    spellings = sorted(set(map(str.lower, equal_addresses)))
    if len(spellings) == 1:
        problem = f"names the address {spellings[0]} {len(equal_addresses)} times"
    else:
        problem = (
            f"names one address {len(equal_addresses)} times, as {' and '.join(spellings[:5])}"
        )
    _fail(
        f"{problem}. Each task needs its own host or port: give each a different one, the same in "
        "the TF_CONFIG of every task"
    )


def _check_type(task_type: Any, where: str) -> None:
    names = (*TASK_TYPES, "master")
    if task_type in names:
        return
    matches = difflib.get_close_matches(str(task_type).lower(), names, n=1)
    hint = f"; did you mean {matches[0]!r}?" if matches else "."
    _fail(
        f"has the unknown task type {_short(task_type)} in {where}{hint} Known are chief (old "
        "name: master), worker, ps and evaluator"
    )


def _task(
    task: dict[str, Any], cluster: dict[str, tuple[str, ...]], chief_name: str
) -> tuple[str, int]:
    _check_type(task["type"], '"task"')
    index = _index(task)
    task_type = "chief" if task["type"] == "master" else task["type"]
    # The cluster need not name an evaluator, because no other task connects to it.
    if task_type == "evaluator":
        if index > 0:
            _fail(
                f"makes this task evaluator {index}: at most one evaluator may run, with index 0. "
                "Do not start a second one"
            )
        return task_type, index
    count = len(cluster.get(task_type, ()))
    # `master` and `chief` are the same role, but tf.estimator looked up the task by its literal
    # name.
    if not count or (task_type == "chief" and task["type"] != chief_name):
        _fail(
            f'makes this task {task["type"]} {index}, but "cluster" names no {task["type"]}. Add '
            "its address to the cluster in the TF_CONFIG of every task, or correct the task's type"
        )
    if index >= count:
        _fail(
            f'has the task index {index} for "{task_type}", out of range: the cluster names '
            f"{count}, so the index goes from 0 to {count - 1}. Correct the index, or add the "
            "missing address"
        )
    return task_type, index


def _index(task: dict[str, Any]) -> int:
    """Returns the task index. Digits in a string are accepted, as in tf.estimator."""
    raw = task.get("index")
    if isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < 10:
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        description = (
            "no task index" if raw is None else f"the task index {_short(json.dumps(raw))}"
        )
        _fail(
            f'has {description}. It must be a whole number: write {{..., "index": 0}} for the '
            "first task"
        )
    if raw < 0:
        _fail(f"has the task index {raw}, out of range. Indices count from 0")
    return raw


def _describe(config: TFConfig) -> str:
    """Returns the cluster's tasks in words, such as "1 chief, 2 worker, 1 ps"."""
    return ", ".join(f"{len(tasks)} {name}" for name, tasks in config.training_cluster.items())


def _require_trainer(config: TFConfig, who: str) -> None:
    if not config.has_chief and not config.num_workers:
        _fail(
            f"names no chief and no worker, so nothing trains under {who}. Add one to the cluster"
        )


def _require_one_trainer(config: TFConfig, who: str) -> None:
    _require_trainer(config, who)
    if sum(map(len, config.training_cluster.values())) > 1:
        _fail(
            f"names a cluster of several tasks ({_describe(config)}), and {who} trains in one "
            "process. Choose a distributed strategy (multi_worker_mirrored without ps, "
            f"parameter_server with ps), or unset {VARIABLE}"
        )


def _require_collective(config: TFConfig, who: str) -> None:
    if config.num_ps:
        _fail(
            f"names {config.num_ps} ps, and {who} uses none: every worker holds all variables. "
            'Remove "ps" from the cluster of every task and do not start those tasks, or choose '
            "the parameter_server strategy"
        )
    _require_trainer(config, who)


def _validate_parameter_server(config: TFConfig, who: str) -> None:
    else_do = "choose --strategy=multi_worker_mirrored, which needs workers alone"
    if who:
        else_do = 'remove "ps": workers alone train in step'
    needs = {
        "chief": ("chief, which coordinates the training", config.has_chief),
        "worker": ("worker, which computes the gradients", config.num_workers),
        "ps": ("ps, which holds the variables", config.num_ps),
    }
    for task_type, (description, is_present) in needs.items():
        if not is_present:
            _fail(
                f"names no {task_type} ({_describe(config)}): "
                f"{who or '--strategy=parameter_server'} needs a {description}. "
                f'Add "{task_type}": ["host:port"] to the cluster of every task and start '
                f"that task, or {else_do}"
            )


def _validate_legacy(config: TFConfig, train_distribute: str) -> None:
    """Checks the requirements of tf.estimator in TensorFlow 2.15, and one that it did not check.

    It accepted a chief and workers without ps. The workers then waited forever for variables that
    only the chief had (seen there).
    """
    who = f"Estimator with --train_distribute={train_distribute}"
    if config.task_type == "evaluator" and config.chief_name == "master":
        _fail(
            'has an evaluator beside a "master", which evaluates by itself. Rename "master" to '
            '"chief" in the TF_CONFIG of every task, or do not start the evaluator'
        )
    if train_distribute == "mirrored":
        _require_one_trainer(config, who)
    elif train_distribute == "collective_all_reduce":
        _require_collective(config, who)
    elif not config.has_chief and train_distribute == "none":
        _fail(
            f"names no chief ({_describe(config)}): Estimator needs exactly one, which trains too "
            'and saves. Call one of the workers "chief"'
        )
    elif sum(map(len, config.training_cluster.values())) > 1 and not config.num_ps:
        _fail(
            f"names no ps ({_describe(config)}), and {who} shares the variables of several "
            'trainers through one. Add "ps": ["host:port"], or use '
            "--train_distribute=collective_all_reduce"
        )


def _serves(config: TFConfig, way: str) -> bool:
    """Returns whether TensorFlow will start a server on this task's address.

    An evaluator starts no server. The coordinator of ParameterServerStrategy starts one on the
    address of the chief (seen in TensorFlow 2.21). Estimator starts none for the only task of a
    cluster.
    """
    if config.task_type == "evaluator" or way in ("single", "mirrored"):
        return False
    return way != "legacy" or sum(map(len, config.training_cluster.values())) > 1


def _require_free_port(config: TFConfig) -> None:
    assert config.address
    host, port = addresses.split(config.address)
    if not addresses.is_this_machine(host):
        return
    _check_distinct([config.address, *_others_here(config, port)])
    problem = addresses.bind_error(port)
    if problem == errno.EACCES:
        _fail(f"gives this task the port {port}, which only root may use. Choose one above 1023")
    if problem:
        raise port_in_use(config.name, config.address)


def _others_here(config: TFConfig, port: int) -> list[str]:
    """Returns the addresses of other tasks that have this port and are on this machine.

    Hosts that would need a look-up in DNS count as other machines, because they may not exist yet.
    """
    others = [a for tasks in config.training_cluster.values() for a in tasks if a != config.address]
    hosts = {a: host for a in others for host, other in [addresses.split(a)] if other == port}
    return [
        address
        for address, host in hosts.items()
        if addresses.is_known_without_dns(host) and addresses.is_this_machine(host)
    ]


def port_in_use(name: str, address: str) -> TFConfigError:
    """Returns the error for a port that another program has.

    Args:
      name: Name of the task, such as "worker-0".
      address: Address of the task.
    """
    port = addresses.split(address)[1]
    return TFConfigError(
        f"{VARIABLE} gives this task ({name}) the address {address}, and port {port} is already "
        f"in use on this machine. End the program that has it (`ss -ltnp sport = :{port}` names "
        "it; often an earlier run), or choose another port in the TF_CONFIG of every task"
    )


@contextlib.contextmanager
def server_start(name: str, address: str | None) -> Iterator[None]:
    """Names the port if TensorFlow cannot bind it in the block, which starts this task's server.

    Another program may take the port after `validate` has checked it.

    Args:
      name: Name of the task, such as "worker-0".
      address: Address of the task. None if it has none.

    Raises:
      TFConfigError: The server could not start, because the port is in use.
    """
    try:
        yield
    except Exception as error:
        # TensorFlow raises an UnknownError with this text for any reason.
        if "Could not start gRPC server" not in str(error) or not address:
            raise
        raise port_in_use(name, address) from error
