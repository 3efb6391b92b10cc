"""Measures the cost of a batch in each way: processor time of all tasks, and bytes between them.

    python -m benchmarks.costs --mnist=~/data/mnist.npz

Runs mnist_cnn for two lengths in each way. The difference is the cost of the additional batches. It
includes neither start-up nor waiting, which makes it steadier than throughput on a shared machine.
docs/performance.md has its table. Exit code: 0, or 2 if a task could not run.
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys

import rich.console
import rich.table
from absl import flags

from benchmarks import programs, speed
from modern.process import cli

FLAGS = flags.FLAGS
WAYS = (
    "single",
    "multi_worker_mirrored",
    "multi_worker_mirrored bfloat16",
    "parameter_server",
    "legacy",
)
_BATCHES = (800, 2400)  # Of all trainers together.
_MB = 1e6


@dataclasses.dataclass(frozen=True)
class Cost:
    """Cost of one batch of 64 examples: processor time in ms, and MB sent between the tasks."""

    cpu_ms: float
    sent_mb: float


def cost(program: programs.Program, mnist: pathlib.Path) -> Cost:
    """Runs a program for two lengths. Raises RuntimeError if a task fails."""
    # A step of multi_worker_mirrored takes a batch on each of its two workers.
    per_step = 2 if program.name.startswith("multi_worker_mirrored") else 1
    short, long = (
        speed.measure(program, mnist, [f"--train_steps={n // per_step}", "--warmup_steps=100"])
        for n in _BATCHES
    )
    batches = _BATCHES[1] - _BATCHES[0]
    return Cost(
        (long.cpu_s - short.cpu_s) / batches * 1e3,
        (long.sent_bytes - short.sent_bytes) / batches / _MB,
    )


def main(argv: list[str]) -> int:
    """Measures and prints the table. Returns the exit code."""
    del argv
    mnist = speed.mnist_path()
    console = rich.console.Console()
    costs: dict[str, Cost] = {}
    by_name = {program.name: program for program in programs.mnist_cnn(None)}
    try:
        for name in WAYS:
            costs[name] = cost(by_name[name], mnist)
            console.print(f"{name}: {costs[name].cpu_ms:.1f} ms, {costs[name].sent_mb:.1f} MB")
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    table = rich.table.Table("way", "ms of processor", "not compute", "MB sent")
    compute = costs["single"].cpu_ms
    for name, program_cost in costs.items():
        extra_ms = f"{program_cost.cpu_ms - compute:.1f}"
        table.add_row(name, f"{program_cost.cpu_ms:.1f}", extra_ms, f"{program_cost.sent_mb:.1f}")
    console.print(table)
    return 0


if __name__ == "__main__":
    speed.define_mnist()
    cli.run(main)
