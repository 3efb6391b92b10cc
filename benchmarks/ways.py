"""Maps each way of training to its program, its cluster and its number of steps.

A comparison gives every way the same number of examples, so the steps differ:

>>> from benchmarks import ways
>>> setting = ways.Setting(job="mnist_cnn", trainers=2, steps=100)
>>> [(way, ways.group(setting, way, "out").train_steps) for way in ways.NAMES]
[('single', 200), ('legacy', 200), ('parameter_server', 200), ('multi_worker_mirrored', 100)]
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

SINGLE = "single"
NAMES = (SINGLE, "legacy", "parameter_server", "multi_worker_mirrored")
# One process with a replica for each trainer: the reference if replicas keep separate state.
MIRRORED = "mirrored"
# The same three for the port of a user's model_fn (--keras_model).
PORT_NAMES = ("keras_single", "keras_parameter_server", "keras_multi_worker_mirrored")
# The same three with Keras 3 (--keras=3).
KERAS3_NAMES = ("keras3_single", "keras3_parameter_server", "keras3_multi_worker_mirrored")
# With 50 steps the check also detects a way that loses one update in ten: the chance that none of
# the 50 is lost is 0.9 ** 50, which is 0.5 %.
EXACT_STEPS = 50
# This job amplifies rounding. Its batch normalization divides by tiny variances: initial weights
# that differ in the last bit lead to weights that differ by 2 % of their movement after one step,
# and by 200 % after six.
_EXACT_STEPS_OF = {"resnet56_cifar10": 1}
_PROGRAMS: dict[str, tuple[str, ...]] = {"legacy": ("-m", "legacy.train")}


@dataclasses.dataclass(frozen=True)
class OwnJob:
    """A user's job, as the flags of `migrate train` name it.

    Attributes:
      model_fn: "package.module:function".
      input_fn: "package.module:function".
      eval_input_fn: "package.module:function".
      model_params: A JSON object, or "package.module:name".
      keras_model: The port, "package.module:function". None if it does not exist.
      keras: Version of the port's Keras, 2 or 3.
      margins: Margins that replace the default ones, by their names in `margins.Margins`.
    """

    model_fn: str
    input_fn: str
    eval_input_fn: str
    model_params: str = "{}"
    keras_model: str | None = None
    keras: int = 2
    margins: Mapping[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Setting:
    """The training that is compared.

    Attributes:
      job: The --job of the training apps.
      dataset: The --dataset of the training apps.
      data_dir: The --data_dir of the training apps.
      batch_size: The --batch_size of the training apps.
      learning_rate: The --learning_rate of the training apps.
      trainers: Number of tasks that compute gradients, in each way but `single`.
      ps: Number of parameter servers.
      evaluator: Whether clusters have an evaluator.
      steps: Batches per trainer. `single` takes as many batches as all trainers together.
      warmup_steps: Batches per trainer that are left out of the throughput.
      learning_rate_decay: The --learning_rate_decay of the training apps.
      max_seeds: Maximum number of trainings of each way, each with a different seed.
      gradient_compression: The --gradient_compression of `modern.train`.
      programs: Arguments to Python before the flags, by way, that replace the usual `-m
        modern.train`.
      own_job: A user's job, which replaces the documented job. `job` is then only a name.
    """

    job: str
    dataset: str | None = None
    data_dir: str | None = None
    batch_size: int | None = None
    learning_rate: float | None = None
    trainers: int = 2
    ps: int = 1
    evaluator: bool = True
    steps: int = 100
    warmup_steps: int = 20
    learning_rate_decay: str = "linear"
    max_seeds: int = 10
    gradient_compression: str = "none"
    programs: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    own_job: OwnJob | None = None


@dataclasses.dataclass(frozen=True)
class Group:
    """Processes that train one way, once or several times.

    Attributes:
      name: Unique name, also of its folder.
      way: One of NAMES, PORT_NAMES or KERAS3_NAMES.
      folder: Folder of the processes' output.
      command: Command of each task.
      chief: Whether the cluster has a chief.
      workers: Number of workers.
      ps: Number of parameter servers.
      evaluator: Whether the cluster has an evaluator.
      repeats: Number of trainings.
      train_steps: Global step at which each training ends.
    """

    name: str
    way: str
    folder: str
    command: tuple[str, ...]
    chief: bool
    workers: int
    ps: int
    evaluator: bool
    repeats: int
    train_steps: int

    @property
    def model_dir(self) -> str:
        """The --model_dir of its tasks."""
        return os.path.join(self.folder, "model")

    @property
    def start_signal(self) -> str:
        """The --start_signal of its tasks."""
        return os.path.join(self.folder, "start")

    def result_dir(self, repeat: int) -> str:
        """Returns the folder of a repeat's results."""
        if self.repeats == 1:
            return self.model_dir
        return os.path.join(self.model_dir, f"repeat-{repeat}")


class _Cluster(TypedDict):
    """The tasks of a group, as arguments of `Group`."""

    chief: bool
    workers: int
    ps: int
    evaluator: bool


def strategy_of(way: str) -> str:
    """Returns the --strategy of a way. "legacy" has none."""
    return way.removeprefix("keras_").removeprefix("keras3_")


def is_asynchronous(way: str) -> bool:
    """Returns whether a way applies updates one after another, in no fixed order.

    The other ways are reproducible.
    """
    return way == "legacy" or strategy_of(way) == "parameter_server"


def is_in_step(way: str) -> bool:
    """Returns whether the trainers of a way take each step together."""
    return strategy_of(way) == "multi_worker_mirrored"


def trains(way: str, task_type: str) -> bool:
    """Returns whether the tasks of a type compute gradients. The chief may only coordinate."""
    return task_type == "worker" or (
        task_type == "chief" and strategy_of(way) != "parameter_server"
    )


def init_checkpoint(output_dir: str, setting: Setting | None = None) -> str:
    """Returns the checkpoint of each seed's initial weights, for --init_checkpoint."""
    is_own_job = setting is not None and setting.own_job is not None
    # An Estimator writes those of a user's job, under the Estimator's usual name.
    parts = ("seed-{seed}", "model.ckpt-0") if is_own_job else ("seed-{seed}",)
    return os.path.join(output_dir, "initial", *parts)


def port_init_checkpoint(output_dir: str) -> str:
    """Returns the checkpoint with the same weights under the names of the port."""
    return os.path.join(output_dir, "initial", "port-seed-{seed}")


def _program(setting: Setting, way: str, output_dir: str) -> list[str]:
    default: tuple[str, ...] = ("-m", "modern.train")
    if setting.own_job:
        default = ("-m", "migrate", "train")
    program = setting.programs.get(way) or _PROGRAMS.get(way, default)
    flags = {
        **(_own_flags(setting.own_job, way) if setting.own_job else _job_flags(setting)),
        "init_checkpoint": init_checkpoint(output_dir, setting),
        "save_checkpoints_secs": 0,
        "export": "false",
    }
    if way in PORT_NAMES:
        flags["init_checkpoint"] = port_init_checkpoint(output_dir)
    if way == "legacy":
        # Without an interval, the Estimator's chief never saves. With one beyond the last step, it
        # saves only at the end.
        flags["save_checkpoints_steps"] = 10**9
        flags["save_summary_steps"] = 10**9
    else:
        flags["strategy"] = strategy_of(way)
    is_own_of_keras3 = setting.own_job is not None and setting.own_job.keras == 3
    if way in KERAS3_NAMES or (way in PORT_NAMES and is_own_of_keras3):
        flags["keras"] = 3
    options = [f"--{name}={value}" for name, value in flags.items() if value is not None]
    return [sys.executable, *program, *options]


def _job_flags(setting: Setting) -> dict[str, Any]:
    names = ("job", "dataset", "data_dir", "batch_size", "learning_rate", "learning_rate_decay")
    return {name: getattr(setting, name) for name in names}


def _own_flags(own: OwnJob, way: str) -> dict[str, Any]:
    model = "keras_model" if way in PORT_NAMES else "model_fn"
    names = (model, "input_fn", "eval_input_fn", "model_params")
    return {name: getattr(own, name) for name in names}


def _cluster(way: str, trainers: int, ps: int, evaluator: bool) -> _Cluster:
    strategy = strategy_of(way)
    if strategy in (SINGLE, MIRRORED):
        return {"chief": False, "workers": 1, "ps": 0, "evaluator": False}
    if way == "legacy":
        return {"chief": True, "workers": trainers - 1, "ps": ps, "evaluator": evaluator}
    if strategy == "parameter_server":
        return {"chief": True, "workers": trainers, "ps": ps, "evaluator": evaluator}
    return {"chief": False, "workers": trainers, "ps": 0, "evaluator": evaluator}


def group(setting: Setting, way: str, output_dir: str) -> Group:
    """Returns the processes whose throughput is measured: all trainers, for every seed."""
    # The learning rate of a user's model_fn may depend on the global step, so all ways take the
    # same number of steps.
    synchronous = is_in_step(way) and not setting.own_job
    times = 1 if synchronous else setting.trainers
    repeats = setting.max_seeds
    folder = os.path.join(output_dir, "runs", way)
    train_steps = setting.steps * times
    command = [
        *_program(setting, way, output_dir),
        f"--train_steps={train_steps}",
        f"--warmup_steps={setting.warmup_steps * times}",
        f"--repeats={repeats}",
    ]
    if synchronous:
        command.append("--scale_learning_rate")  # N times the batch, N times the rate
    if way != "legacy" and strategy_of(way) != SINGLE and not setting.own_job:
        command.append(f"--gradient_compression={setting.gradient_compression}")
    if way != "legacy":
        command.append(f"--steps_per_epoch={train_steps}")
    return _group(way, way, folder, command, setting, setting.trainers, repeats, train_steps)


def exact_steps(setting: Setting) -> int:
    """Returns the number of steps of the exact tier, if no flag gives it."""
    return EXACT_STEPS if setting.own_job else _EXACT_STEPS_OF.get(setting.job, EXACT_STEPS)


def exact_group(
    setting: Setting, way: str, output_dir: str, trainers: int, batch_size: int | None, steps: int
) -> Group:
    """Returns processes that train once, for `steps` steps from seed 0, deterministically.

    A user's job has no --batch_size: its input_fn decides.
    """
    name = f"exact-{way}-{trainers}x{batch_size or 'own'}"
    folder = os.path.join(output_dir, "runs", name)
    command = [
        *_program(setting, way, output_dir),
        *([f"--batch_size={batch_size}"] if batch_size else []),
        f"--train_steps={steps}",
        "--warmup_steps=0",
        "--deterministic",
    ]
    if way == MIRRORED:
        command.append(f"--logical_cpus={trainers}")
    without_evaluator = dataclasses.replace(setting, evaluator=False)
    return _group(name, way, folder, command, without_evaluator, trainers, 1, steps)


def control_of(group: Group, init_checkpoint: str) -> Group:
    """Returns the training of a group from other initial weights.

    Args:
      group: A training of the exact tier.
      init_checkpoint: Prefix of the checkpoint with the other weights.
    """
    control = dataclasses.replace(
        group, name=f"{group.name}-control", folder=f"{group.folder}-control"
    )
    return _with_paths(control, (*group.command, f"--init_checkpoint={init_checkpoint}"))


def _group(
    name: str,
    way: str,
    folder: str,
    command: list[str],
    setting: Setting,
    trainers: int,
    repeats: int,
    train_steps: int,
) -> Group:
    bare_group = Group(
        name=name,
        way=way,
        folder=folder,
        command=(),
        repeats=repeats,
        train_steps=train_steps,
        **_cluster(way, trainers, setting.ps, setting.evaluator),
    )
    return _with_paths(bare_group, command)


def _with_paths(group: Group, command: Sequence[str]) -> Group:
    """Returns a group with its command, and the flags that depend on its paths.

    They replace such flags in the command, because absl takes the last one.
    """
    ends = (f"--model_dir={group.model_dir}", f"--start_signal={group.start_signal}")
    return dataclasses.replace(group, command=(*command, *ends))
