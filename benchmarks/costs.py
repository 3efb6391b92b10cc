"""Measures the cost of a batch in each way: processor time of all tasks, and bytes between them.

    python -m benchmarks.costs --mnist=~/data/mnist.npz
    python -m benchmarks.costs --job=sparse_embeddings --ps=2

Runs the job for two lengths in each way. The difference is the cost of the additional batches. It
includes neither start-up nor waiting, which makes it steadier than throughput on a shared machine.
For sparse_embeddings it also prints the bytes of the rows that a batch touches. A way that sends
whole tables sends hundreds of times as much. docs/performance.md has both tables. Exit code: 0, or
2 if a task could not run.
"""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
import resource
import sys
import tempfile
from collections.abc import Mapping, Sequence

import numpy as np
import psutil
import rich.console
import rich.table
from absl import flags

from benchmarks import programs, speed
from modern.data import impressions
from modern.process import cli, quiet_import

FLAGS = flags.FLAGS
WAYS = (
    "single",
    "multi_worker_mirrored",
    "multi_worker_mirrored bfloat16",
    "parameter_server",
    "legacy",
)
# Of all trainers together.
_BATCHES = {speed.MNIST_CNN: (800, 2400), speed.SPARSE_EMBEDDINGS: (200, 600)}
_BATCHES |= dict.fromkeys((speed.COLUMNS, speed.FILES), _BATCHES[speed.SPARSE_EMBEDDINGS])
_MB = 1e6


@dataclasses.dataclass(frozen=True)
class Cost:
    """Cost of one batch: processor time in ms, and MB sent between the tasks."""

    cpu_ms: float
    sent_mb: float


def cpu_and_bytes(
    program: programs.Program, mnist: pathlib.Path | None, arguments: Sequence[str]
) -> tuple[float, int]:
    """Runs a program once, with further arguments. Raises RuntimeError if a task fails.

    Returns:
      The seconds of processor time of all its tasks, and the bytes that the loopback interface sent
      meanwhile.
    """
    cpu, sent = _cpu_s_of_ended_tasks(), _sent_bytes()
    with tempfile.TemporaryDirectory() as folder:
        with program.cluster(folder, mnist, arguments) as cluster:
            result = cluster.wait(timeout_s=600)
        if result.failed:
            lines = "\n".join(result.last_lines)
            raise RuntimeError(f"{program.name}: {result.failed.name} failed:\n{lines}")
    return _cpu_s_of_ended_tasks() - cpu, _sent_bytes() - sent


def _cpu_s_of_ended_tasks() -> float:
    # RUSAGE_CHILDREN counts only children that have ended and been waited for.
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _sent_bytes() -> int:
    interfaces = psutil.net_io_counters(pernic=True)
    return sum(i.bytes_sent for name, i in interfaces.items() if name.startswith("lo"))


def cost(program: programs.Program, mnist: pathlib.Path | None, lengths: tuple[int, int]) -> Cost:
    """Runs a program for two lengths, in batches. Raises RuntimeError if a task fails."""
    short, long = (cpu_and_bytes(program, mnist, program.of_batches(n)) for n in lengths)
    batches = lengths[1] - lengths[0]
    return Cost((long[0] - short[0]) / batches * 1e3, (long[1] - short[1]) / batches / _MB)


def touched_mb(batches: int = 20) -> tuple[float, float]:
    """Returns the MB of the rows that a batch of sparse_embeddings reads, and of all rows.

    Args:
      batches: The number of batches, over which the first figure is the mean. An id that a batch
        has several times counts once.
    """
    quiet_import.import_tensorflow()
    from modern.jobs import sparse_embeddings as job

    size = job.BATCH_SIZE
    columns = impressions.impressions(train_size=batches * size).train_features
    assert isinstance(columns, Mapping)
    rows = 0
    for column, start in itertools.product(columns.values(), range(0, batches * size, size)):
        rows += len(np.unique(column[start : start + size]))
    row_mb = job.EMBEDDING_SIZE * np.dtype(np.float32).itemsize / _MB
    return rows / batches * row_mb, len(columns) * job.HASH_BUCKETS * row_mb


def main(argv: list[str]) -> int:
    """Measures and prints the table. Returns the exit code."""
    del argv
    mnist, known = speed.known_programs()
    if mnist and FLAGS.original_python:
        raise cli.UsageError(
            f"--original_python={FLAGS.original_python} is not for --job={speed.MNIST_CNN}, whose "
            "old program has only one length: leave it out."
        )
    by_name = {program.name: program for program in known}
    console = rich.console.Console()
    costs: dict[str, Cost] = {}
    try:
        for name in WAYS if mnist else by_name:
            costs[name] = cost(by_name[name], mnist, _BATCHES[FLAGS.job])
            console.print(f"{name}: {costs[name].cpu_ms:.1f} ms, {costs[name].sent_mb:.2f} MB")
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    table = rich.table.Table("program", "ms of processor", "not compute", "MB sent")
    for name, program_cost in costs.items():
        extra_ms = f"{program_cost.cpu_ms - costs['single'].cpu_ms:.1f}" if mnist else ""
        table.add_row(name, f"{program_cost.cpu_ms:.1f}", extra_ms, f"{program_cost.sent_mb:.2f}")
    console.print(table)
    if FLAGS.job == speed.SPARSE_EMBEDDINGS:
        touched, tables = touched_mb()
        console.print(
            f"The rows that a batch touches have {touched:.2f} MB. Reading them and sending their "
            f"gradients takes {2 * touched:.2f} MB. The tables have {tables:.0f} MB."
        )
    return 0


if __name__ == "__main__":
    speed.define_programs()
    cli.run(main)
