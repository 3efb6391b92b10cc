r"""Measures the ways against the code they replace: guide-style scripts, and the real tf.estimator.

    python -m benchmarks.speed --mnist=~/data/mnist.npz
    python -m benchmarks.speed --mnist=~/data/mnist.npz --original_python=/venv-2.15/bin/python

Trains mnist_cnn with two trainers and batches of 64 each. Every program runs in separate processes,
in turns, for several rounds. Prints medians and the ratios of docs/performance.md. Exit code: 0 if
all ratios are reached, 1 if not, 2 if a program could not run.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import resource
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence

import psutil
import rich.console
import rich.table
from absl import flags

from modern.launcher.local import LocalCluster
from modern.process import cli

FLAGS = flags.FLAGS
_BASELINES = pathlib.Path(__file__).parent / "baselines"
_STEPS, _WARMUP_STEPS = 750, 150  # per trainer


@dataclasses.dataclass(frozen=True)
class Program:
    """A program to measure.

    Attributes:
      name: Name of its row.
      command: Command of each task. {dir} stands for a new folder, {mnist} for the data.
      result: File in that folder that has "examples_per_second".
      chief: Whether the cluster has a chief.
      workers: Number of workers.
      ps: Number of parameter servers.
    """

    name: str
    command: tuple[str, ...]
    result: str
    chief: bool
    workers: int
    ps: int


@dataclasses.dataclass(frozen=True)
class Bar:
    """A ratio to reach: `program` must be at least `times` as fast as `baseline`."""

    program: str
    baseline: str
    times: float


@dataclasses.dataclass(frozen=True)
class Turn:
    """The figures of one run of a program.

    Attributes:
      examples_per_second: Throughput of its steady part.
      cpu_s: Processor time of all its tasks, from start to end.
      sent_bytes: Bytes sent through the loopback interface during the run.
    """

    examples_per_second: float
    cpu_s: float
    sent_bytes: int


BARS = (
    Bar("multi_worker_mirrored", "plain multi_worker_mirrored", 1.25),
    Bar("multi_worker_mirrored bfloat16", "plain multi_worker_mirrored", 1.6),
    Bar("parameter_server", "plain parameter_server", 1.25),
    Bar("parameter_server", "legacy", 1.0),
    Bar("legacy", "tf.estimator 2.15", 1.0),
)
# Not a bar, but the context of the last one: TensorFlow itself, then and now.
REFERENCE = ("session", "session 2.15")


def define_mnist() -> None:
    """Defines --mnist."""
    flags.DEFINE_string("mnist", None, "Keras' mnist.npz, or one with its keys.")


def define_flags() -> None:
    """Defines the flags."""
    define_mnist()
    flags.DEFINE_string("original_python", None, "A Python that has TensorFlow 2.15.")
    flags.DEFINE_integer("rounds", 3, "Turns of each program.", lower_bound=1)
    flags.DEFINE_list("only", [], "Names of programs; default: all.")


def programs(original_python: str | None) -> list[Program]:
    """Returns all programs to measure, in the order of a round."""

    def ours(
        name: str, module: str, times: int, cluster: tuple[bool, int, int], *more: str
    ) -> Program:
        command = (
            *(sys.executable, "-m", module, "--job=mnist_cnn", "--dataset=mnist"),
            *("--data_dir={mnist_dir}", "--model_dir={dir}", "--noexport"),
            f"--train_steps={_STEPS * times}",
            f"--warmup_steps={_WARMUP_STEPS * times}",
            *more,
        )
        return Program(name, command, "result.json", *cluster)

    def plain(strategy: str, cluster: tuple[bool, int, int]) -> Program:
        script = str(_BASELINES / "plain_keras.py")
        command = (sys.executable, script, strategy, "{mnist}", "{dir}/speed.json")
        return Program(f"plain {strategy}", command, "speed.json", *cluster)

    synchronous, with_servers, estimator = (False, 2, 0), (True, 2, 1), (True, 1, 1)
    one_process = (False, 1, 0)
    workers_flag, servers_flag = "--strategy=multi_worker_mirrored", "--strategy=parameter_server"
    all_programs = [
        plain("multi_worker_mirrored", synchronous),
        ours("multi_worker_mirrored", "modern.train", 1, synchronous, workers_flag),
        ours(
            *("multi_worker_mirrored bfloat16", "modern.train", 1, synchronous, workers_flag),
            "--gradient_compression=bfloat16",
        ),
        plain("parameter_server", with_servers),
        ours("parameter_server", "modern.train", 2, with_servers, servers_flag),
        ours("legacy", "legacy.train", 2, estimator, "--save_summary_steps=1000000"),
        ours("single", "modern.train", 2, one_process),
    ]
    if original_python:
        script = str(_BASELINES / "original_estimator.py")
        command = (original_python, script, "{mnist}", "{dir}/model", "{dir}/speed.json")
        all_programs.append(Program("tf.estimator 2.15", command, "speed.json", *estimator))
        for name, python in zip(REFERENCE, (sys.executable, original_python), strict=True):
            session = (python, str(_BASELINES / "plain_session.py"), "{mnist}", "{dir}/speed.json")
            all_programs.append(Program(name, session, "speed.json", *one_process))
    return all_programs


def measure(program: Program, mnist: pathlib.Path, arguments: Sequence[str] = ()) -> Turn:
    """Runs a program once, with further arguments. Raises RuntimeError if a task fails."""
    cpu, sent = _cpu_s_of_ended_tasks(), _sent_bytes()
    with tempfile.TemporaryDirectory() as folder:
        names = {"dir": folder, "mnist": str(mnist), "mnist_dir": str(mnist.parent)}
        command = [part.format(**names) for part in program.command] + list(arguments)
        cluster = LocalCluster(
            command,
            chief=program.chief,
            workers=program.workers,
            ps=program.ps,
            log_dir=pathlib.Path(folder) / "logs",
            grace_s=0.0,
            ps_grace_s=0.0,
        )
        with cluster:
            result = cluster.wait(timeout_s=600)
        if result.failed:
            lines = "\n".join(result.last_lines)
            raise RuntimeError(f"{program.name}: {result.failed.name} failed:\n{lines}")
        with open(os.path.join(folder, program.result)) as file:
            speed = json.load(file)["examples_per_second"]
    return Turn(speed, _cpu_s_of_ended_tasks() - cpu, _sent_bytes() - sent)


def _cpu_s_of_ended_tasks() -> float:
    # RUSAGE_CHILDREN counts only children that have ended and been waited for.
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _sent_bytes() -> int:
    interfaces = psutil.net_io_counters(pernic=True)
    return sum(i.bytes_sent for name, i in interfaces.items() if name.startswith("lo"))


def mnist_path() -> pathlib.Path:
    """Returns --mnist as an absolute path. Raises cli.UsageError if it is not a file."""
    if not FLAGS.mnist or not os.path.isfile(os.path.expanduser(FLAGS.mnist)):
        raise cli.UsageError(f"--mnist={FLAGS.mnist} is not a file: give the path of mnist.npz.")
    return pathlib.Path(FLAGS.mnist).expanduser().absolute()


def main(argv: list[str]) -> int:
    """Measures the programs. Returns the exit code."""
    del argv
    mnist = mnist_path()
    chosen = [p for p in programs(FLAGS.original_python) if not FLAGS.only or p.name in FLAGS.only]
    speeds: dict[str, list[float]] = {program.name: [] for program in chosen}
    console = rich.console.Console()
    try:
        for number in range(FLAGS.rounds):
            for program in chosen:
                speeds[program.name].append(measure(program, mnist).examples_per_second)
                last = speeds[program.name][-1]
                console.print(f"round {number + 1}  {program.name}  {last:,.0f} examples/s")
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    return _report(console, speeds)


def _report(console: rich.console.Console, speeds: Mapping[str, Sequence[float]]) -> int:
    """Prints medians and ratios. Returns 0 if all available ratios are reached, 1 if not."""
    table = rich.table.Table("program", "median examples/s", "min", "max", "of single")
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    for name, values in speeds.items():
        share = f"{medians[name] / medians['single']:.2f}" if "single" in medians else ""
        figures = [f"{x:,.0f}" for x in (medians[name], min(values), max(values))]
        table.add_row(name, *figures, share)
    console.print(table)
    is_reached = True
    for bar in BARS:
        ratio = _ratio(speeds, bar.program, bar.baseline)
        if ratio is not None:
            is_reached = is_reached and ratio >= bar.times
            word = "reached" if ratio >= bar.times else "MISSED"
            console.print(
                f"{bar.program} / {bar.baseline}: {ratio:.2f}, wanted {bar.times:.2f}: {word}"
            )
    ratio = _ratio(speeds, *REFERENCE)
    if ratio is not None:
        console.print(f"TensorFlow itself, {' / '.join(REFERENCE)}: {ratio:.2f}")
    return 0 if is_reached else 1


def _ratio(speeds: Mapping[str, Sequence[float]], program: str, baseline: str) -> float | None:
    """Returns the median of the rounds' ratios. None if one of the programs did not run."""
    if program not in speeds or baseline not in speeds:
        return None
    pairs = zip(speeds[program], speeds[baseline], strict=True)
    return statistics.median(ours / theirs for ours, theirs in pairs)


if __name__ == "__main__":
    define_flags()
    cli.run(main)
