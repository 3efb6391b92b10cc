"""The ways of training: the command of each, and the check of its results.

    ways.run(ways.NAMES["mirrored"], python, versions, folder)

Each way trains a small job for some steps in processes of its own. They see the installed package
and not this repository.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Any

PROGRAMS = pathlib.Path(__file__).parent / "programs"
STEPS = 200
TIMEOUT_SECS = 300
PASSED, REFUSED, FAILED = "passed", "refused", "failed"
_MISUSE = 2
# Variables that would change which packages a process imports, or its cluster.
_REMOVED = (
    "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "TF_CONFIG", "TF_USE_LEGACY_KERAS", "KERAS_BACKEND",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Way:
    """A method of training.

    Attributes:
      name: The name in the recorded results.
      command: The arguments of Python. FOLDER stands for the folder of the results.
      check: Returns the mistakes in the results, one line each, for the folder and the installed
        versions.
      cluster: The flags of modern.launch. Empty without a cluster.
      keras: The major version of Keras.
    """

    name: str
    command: tuple[str, ...]
    check: Callable[[pathlib.Path, Mapping[str, str]], list[str]]
    cluster: tuple[str, ...] = ()
    keras: int = 2


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The end of a way.

    Attributes:
      state: `PASSED`, `REFUSED` (only by Keras 3 with versions that it does not support), `FAILED`.
      reason: The mistakes and the last lines of the output, unless the way has passed.
    """

    state: str
    reason: str = ""


def run(way: Way, python: str, versions: Mapping[str, str], folder: pathlib.Path) -> Outcome:
    """Trains in a way, and checks the results.

    Args:
      way: The way.
      python: Interpreter of the environment.
      versions: The versions that the environment must have, by package.
      folder: New folder for the results.
    """
    folder.mkdir(parents=True)
    arguments = [word.replace("FOLDER", str(folder)) for word in way.command]
    if way.cluster:
        launch = ["-m", "modern.launch", f"--log_dir={folder}/logs", *way.cluster, "--"]
        arguments = [*launch, python, *arguments]
    code, output = _run([python, *arguments], folder)
    last = "\n".join(output.splitlines()[-25:])
    if code == _MISUSE and way.keras == 3 and "--keras=3 needs" in output:
        return Outcome(REFUSED, output.strip().splitlines()[-1])
    if code:
        return Outcome(FAILED, f"exit code {code}\n{last}")
    mistakes = way.check(folder, versions)
    return Outcome(FAILED, "\n".join([*mistakes, last])) if mistakes else Outcome(PASSED)


def _run(command: Sequence[str], folder: pathlib.Path) -> tuple[int, str]:
    """Returns the exit code and the output of a command, which is ended after a time limit."""
    environment = {name: value for name, value in os.environ.items() if name not in _REMOVED}
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**environment, "PYTHONPATH": str(PROGRAMS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=TIMEOUT_SECS)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return -signal.SIGKILL, f"{output}\nended after {TIMEOUT_SECS} s"


# --- The checks --------------------------------------------------------------------------------


def check_training(
    folder: pathlib.Path,
    versions: Mapping[str, str],
    *,
    strategy: str,
    batches: int,
    most_loss: float,
    keras: int = 2,
) -> list[str]:
    """Returns the mistakes in the result.json of a training.

    Args:
      folder: The folder with `model/result.json`.
      versions: The installed versions, by package.
      strategy: The strategy that was asked for.
      batches: The number of batches that all replicas consume.
      most_loss: The loss that a training for `STEPS` steps stays below.
      keras: The major version of Keras.
    """
    result = _read(folder / "model" / "result.json")
    if result is None:
        return ["result.json is missing"]
    installed = {"python": versions["python"], "tensorflow": versions["tensorflow"]}
    installed |= {"tf_keras": versions["tf-keras"]} if keras == 2 else {"keras": versions["keras"]}
    facts = {
        "way": (result["way"], strategy),
        "steps": ((result["steps"], result["global_step"]), (STEPS, STEPS)),
        "examples": (sum(result["examples"].values()), batches * result["batch_size"]),
        "uncounted steps": (result["uncounted_steps"], 0),
        "versions": ({name: result["versions"].get(name) for name in installed}, installed),
    }
    mistakes = [f"{name}: {a}, not {b}" for name, (a, b) in facts.items() if a != b]
    files = [f"{result['checkpoint']}.index", f"{result['export']}/saved_model.pb"]
    mistakes += [f"{path} is missing" for path in files if not os.path.exists(path)]
    return mistakes + _loss_mistakes(result["eval"], most_loss)


def check_old_job(folder: pathlib.Path, versions: Mapping[str, str]) -> list[str]:
    """Returns the mistakes in the evaluation of `old_job.py` and in its checkpoint."""
    del versions
    results = _read(folder / "model" / "evaluation.json")
    if results is None:
        return ["evaluation.json is missing"]
    step = int(results["global_step"])
    mistakes = [] if step >= STEPS else [f"steps: {step}, not {STEPS}"]
    if not (folder / "model" / f"model.ckpt-{step}.index").exists():
        mistakes.append(f"the checkpoint of step {step} is missing")
    return mistakes + _loss_mistakes(results, OLD_JOB_LOSS)


def check_averages(folder: pathlib.Path, versions: Mapping[str, str]) -> list[str]:
    """Returns the mistakes in the moving averages of `replicated_layers.py`."""
    del versions
    averages = _read(folder / "averages.json")
    if averages is None:
        return ["averages.json is missing"]
    expected = [sum(channel) / 2 for channel in zip(*averages["replicas"], strict=True)]
    pairs = zip(averages["read"], expected, strict=True)
    if all(math.isclose(read, mean, rel_tol=1e-4) for read, mean in pairs):
        return []
    return [f"moving averages: {averages['read']}, not the replicas' mean {expected}"]


def _loss_mistakes(evaluation: Mapping[str, float], most: float) -> list[str]:
    loss = evaluation["loss"]
    return [] if 0 <= loss < most else [f"loss: {loss}, not below {most}"]  # NaN is not.


def _read(path: pathlib.Path) -> Any:
    return json.loads(path.read_text()) if path.exists() else None


# --- The ways ----------------------------------------------------------------------------------

# Losses of a training for `STEPS` steps, with a wide margin. An untrained model is far above them.
OLD_JOB_LOSS = 0.1
JOB_LOSSES = {"linear_regression": 0.1, "wide_deep": 0.65}

_OLD_JOB = ("-m", "legacy.run", str(PROGRAMS / "old_job.py"), "FOLDER/model", str(STEPS))
_TWO_WORKERS = ("--workers=2",)
_SERVED = ("--chief", "--workers=1", "--ps=1")
# The job, the batches per step and the cluster of each strategy. Jobs with tables are those of
# parameter servers.
_STRATEGIES: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "single": ("linear_regression", 1, ()),
    "mirrored": ("linear_regression", 2, ()),
    "multi_worker_mirrored": ("linear_regression", 2, _TWO_WORKERS),
    "parameter_server": ("wide_deep", 1, _SERVED),
}


def _modern(strategy: str, keras: int) -> Way:
    job, batches, cluster = _STRATEGIES[strategy]
    command = [
        "-m", "modern.train", f"--job={job}", f"--strategy={strategy}", f"--train_steps={STEPS}",
        "--warmup_steps=10", "--model_dir=FOLDER/model", f"--keras={keras}",
    ]  # fmt: skip
    if strategy == "mirrored":
        command.append("--logical_cpus=2")

    def check(folder: pathlib.Path, versions: Mapping[str, str]) -> list[str]:
        return check_training(
            folder,
            versions,
            strategy=strategy,
            batches=batches * STEPS,
            most_loss=JOB_LOSSES[job],
            keras=keras,
        )

    name = strategy if keras == 2 else f"keras3_{strategy}"
    return Way(name, tuple(command), check, cluster, keras)


def _bridge() -> Way:
    command = (
        "-m", "migrate", "train", "--model_fn=old_job:model_fn", "--input_fn=old_job:input_fn",
        "--eval_input_fn=old_job:eval_input_fn", '--model_params={"learning_rate": 0.02}',
        f"--train_steps={STEPS}", "--warmup_steps=10", "--model_dir=FOLDER/model",
    )  # fmt: skip

    def check(folder: pathlib.Path, versions: Mapping[str, str]) -> list[str]:
        return check_training(
            folder, versions, strategy="single", batches=STEPS, most_loss=OLD_JOB_LOSS
        )

    return Way("bridge", command, check)


_LAYERS = Way(
    "keras3_layers",
    (str(PROGRAMS / "replicated_layers.py"), "FOLDER"),
    check_averages,
    keras=3,
)
_ALL = (
    Way("legacy", _OLD_JOB, check_old_job, ("--chief", "--workers=0", "--ps=1")),
    _bridge(),
    *(_modern(strategy, 2) for strategy in _STRATEGIES),
    *(_modern(strategy, 3) for strategy in _STRATEGIES),
    _LAYERS,
)
NAMES = {way.name: way for way in _ALL}
