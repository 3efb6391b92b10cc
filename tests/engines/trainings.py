"""Trains on machines of a network with a given rate or latency, and reads the results.

    result = train(folder, "parameter_server", workers=2, rate=100e6, steps=40)
    result["examples_per_second"]

Every task has a machine of its own. All machines share the cores of this computer.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.engines import namespaces

_ROOT = pathlib.Path(__file__).parents[2]
_PORT = 2222
# Commands of the packages that the rate of a network needs.
PACKAGES = {"tc": "iproute2"}
CNN = ("-m", "modern.train", "--job=mnist_cnn", "--dataset=digits")
_DENSE = "tests.engines.dense_model"
DENSE = (
    "-m", "migrate", "train", f"--keras_model={_DENSE}:build_model",
    f"--input_fn={_DENSE}:input_fn", f"--eval_input_fn={_DENSE}:eval_input_fn",
)  # fmt: skip


def train(
    folder: pathlib.Path,
    way: str,
    program: Sequence[str] = CNN,
    *,
    workers: int = 2,
    ps: int = 1,
    rate: float | None = None,
    latency_s: float | None = None,
    steps: int = 40,
    warmup_steps: int = 10,
    flags: Sequence[str] = (),
    timeout_s: float = 600,
) -> dict[str, Any]:
    """Trains to the end.

    Args:
      folder: An empty folder.
      way: A strategy of `modern.train`.
      program: Arguments to Python that name the model.
      workers: Number of workers.
      ps: Number of parameter servers, if the way has them.
      rate: Bits per second of each machine's link. None sets no limit.
      latency_s: Seconds from one machine to another, see `namespaces.network`.
      steps: Batches per worker.
      warmup_steps: Batches per worker that are not measured.
      flags: More flags.
      timeout_s: Seconds after which the training is given up.

    Returns:
      The content of `result.json`.

    Raises:
      RuntimeError: A task failed. The message has the end of its output.
    """
    cluster = _cluster(way, workers, ps)
    # Under parameter servers, the global step counts the batches of all workers.
    times = workers if way == "parameter_server" else 1
    names = [f"{kind}-{n}" for kind, addresses in cluster.items() for n in range(len(addresses))]
    command = [
        sys.executable, *program, f"--strategy={way}", f"--model_dir={folder / 'model'}",
        f"--train_steps={steps * times}", f"--steps_per_epoch={steps * times}",
        f"--warmup_steps={warmup_steps * times}", "--noexport", *flags,
    ]  # fmt: skip
    with namespaces.network(names or ["alone"], folder, rate, latency_s) as machines:
        if not names:
            _to_the_end({"alone": machines["alone"].command(*command)}, {}, folder, timeout_s)
        else:
            commands = {name: machines[name].command(*command) for name in names}
            _to_the_end(commands, cluster, folder, timeout_s)
    return json.loads((folder / "model" / "result.json").read_text())


def _cluster(way: str, workers: int, ps: int) -> dict[str, list[str]]:
    counts = {
        "single": {},
        "multi_worker_mirrored": {"worker": workers},
        "parameter_server": {"chief": 1, "worker": workers, "ps": ps},
    }[way]
    return {kind: [f"{kind}-{n}:{_PORT}" for n in range(count)] for kind, count in counts.items()}


def _to_the_end(
    commands: Mapping[str, Sequence[str]],
    cluster: Mapping[str, Sequence[str]],
    folder: pathlib.Path,
    timeout_s: float,
) -> None:
    """Runs the tasks. Raises RuntimeError if one fails."""
    with contextlib.ExitStack() as stack:
        tasks = {
            name: stack.enter_context(_task(name, command, cluster, folder))
            for name, command in commands.items()
        }
        for name, task in tasks.items():
            if task.wait(timeout_s):
                log = (folder / f"{name}.log").read_text()
                raise RuntimeError(f"{name} ended with {task.returncode}:\n{log[-3000:]}")


@contextlib.contextmanager
def _task(
    name: str, command: Sequence[str], cluster: Mapping[str, Sequence[str]], folder: pathlib.Path
) -> Iterator[subprocess.Popen[bytes]]:
    kind, _, index = name.rpartition("-")
    task = {"type": kind, "index": int(index)} if cluster else {}
    # The folder of a command is lost on the way into the machine.
    variables = {"PYTHONPATH": str(_ROOT)}
    if cluster:
        variables["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": task})
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, env=os.environ | variables, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()
