"""The programs that `benchmarks.speed` measures, and the ratios that they should reach.

>>> [program.name for program in sparse_embeddings(None, ps=2)]
['legacy.run', 'bridge', 'parameter_server', 'parameter_server Keras 3']
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys
from collections.abc import Sequence

from modern.launcher.local import LocalCluster

_BASELINES = pathlib.Path(__file__).parent / "baselines"
_STEPS, _WARMUP_STEPS = 750, 150  # Of mnist_cnn, per trainer.
_SPARSE_STEPS, _SPARSE_WARMUP_STEPS = 700, 100  # As in baselines/original_sparse.py.
_SERVED = (
    *("--strategy=parameter_server", "--model_dir={dir}", "--noexport"),
    f"--train_steps={_SPARSE_STEPS}",
    f"--warmup_steps={_SPARSE_WARMUP_STEPS}",
)
# Of baselines/original_columns.py and original_files.py.
COLUMNS, FILES = ("vocabulary", "mod", "div", "adam"), ("images", "rows")
ORIGINAL, PYTORCH = "tf.estimator 2.15", "PyTorch"


@dataclasses.dataclass(frozen=True)
class Program:
    """A program to measure.

    Attributes:
      name: Name of its row.
      command: Command of each task. {dir} stands for a new folder, {mnist} for the data.
      result: A file in that folder with the "examples" of its steady part, and its "start" and
        "end" in unix seconds. None if the program is of this toolkit, whose tasks have records.
      chief: Whether the cluster has a chief.
      workers: Number of workers.
      ps: Number of parameter servers.
      batches_per_step: Batches of all trainers in a step.
      warmup_steps: Steps that are not measured. A program with a `result` leaves them out itself.
      length: Arguments that set its length, with {steps}.
    """

    name: str
    command: tuple[str, ...]
    result: str | None
    chief: bool
    workers: int
    ps: int
    batches_per_step: int = 1
    warmup_steps: int = 0
    length: tuple[str, ...] = ("--train_steps={steps}", "--warmup_steps=100")

    def of_batches(self, batches: int) -> list[str]:
        """Returns the arguments with which its trainers take so many batches together."""
        return [part.format(steps=batches // self.batches_per_step) for part in self.length]

    def cluster(
        self, folder: str, mnist: pathlib.Path | None, arguments: Sequence[str] = ()
    ) -> LocalCluster:
        """Returns its cluster, which is not started yet.

        Args:
          folder: The folder that stands for {dir}.
          mnist: The path of the data, if it reads them.
          arguments: Further arguments.
        """
        names = {"dir": folder}
        if mnist:
            names |= {"mnist": str(mnist), "mnist_dir": str(mnist.parent)}
        return LocalCluster(
            [part.format(**names) for part in self.command] + list(arguments),
            chief=self.chief,
            workers=self.workers,
            ps=self.ps,
            log_dir=pathlib.Path(folder) / "logs",
            grace_s=0.0,
            ps_grace_s=0.0,
        )


@dataclasses.dataclass(frozen=True)
class Bar:
    """A ratio to reach: `program` must be at least `times` as fast as `baseline`."""

    program: str
    baseline: str
    times: float


BARS = (
    Bar("multi_worker_mirrored", "plain multi_worker_mirrored", 1.25),
    Bar("multi_worker_mirrored bfloat16", "plain multi_worker_mirrored", 1.6),
    Bar("multi_worker_mirrored", PYTORCH, 1.0),
    Bar("parameter_server", "plain parameter_server", 1.25),
    Bar("parameter_server", "legacy", 1.0),
    Bar("legacy", ORIGINAL, 1.0),
    Bar("multi_worker_mirrored Keras 3", "multi_worker_mirrored", 1.0),
    Bar("parameter_server Keras 3", "parameter_server", 1.0),
    Bar("single Keras 3", "single", 1.0),
)
SPARSE_BARS = (
    Bar("legacy.run", ORIGINAL, 1.0),
    Bar("bridge", ORIGINAL, 1.0),
    Bar("parameter_server", ORIGINAL, 1.0),
)
# Not a bar, but the context of the last one: TensorFlow itself, then and now.
REFERENCE = ("session", "session 2.15")


def mnist_cnn(original_python: str | None, torch_python: str | None = None) -> list[Program]:
    """Returns the programs that train mnist_cnn, in the order of a round.

    Args:
      original_python: A Python that has TensorFlow 2.15. Without it, its programs are left out.
      torch_python: A Python that has PyTorch. Without it, its program is left out.
    """

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
        batches = 2 if cluster == synchronous else 1
        return Program(name, command, None, *cluster, batches, _WARMUP_STEPS * times)

    def plain(strategy: str, cluster: tuple[bool, int, int]) -> Program:
        script = str(_BASELINES / "plain_keras.py")
        command = (sys.executable, script, strategy, "{mnist}", "{dir}/speed.json")
        return Program(f"plain {strategy}", command, "speed.json", *cluster)

    synchronous, with_servers, estimator = (False, 2, 0), (True, 2, 1), (True, 1, 1)
    one_process = (False, 1, 0)
    workers_flag, servers_flag = "--strategy=multi_worker_mirrored", "--strategy=parameter_server"
    programs = [
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
    with_both = ("multi_worker_mirrored", "parameter_server", "single")
    programs += [_with_keras3(program) for program in programs if program.name in with_both]
    if torch_python:
        torch = (torch_python, str(_BASELINES / "pytorch_ddp.py"), "{mnist}", "{dir}/speed.json")
        programs.append(Program(PYTORCH, torch, "speed.json", *synchronous, 2))
    if original_python:
        script = str(_BASELINES / "original_estimator.py")
        command = (original_python, script, "{mnist}", "{dir}/model", "{dir}/speed.json")
        programs.append(Program(ORIGINAL, command, "speed.json", *estimator))
        for name, python in zip(REFERENCE, (sys.executable, original_python), strict=True):
            session = (python, str(_BASELINES / "plain_session.py"), "{mnist}", "{dir}/speed.json")
            programs.append(Program(name, session, "speed.json", *one_process))
    return programs


def sparse_embeddings(original_python: str | None, ps: int) -> list[Program]:
    """Returns the programs that train sparse_embeddings with two trainers.

    Args:
      original_python: As in `mnist_cnn`.
      ps: Number of parameter servers.
    """
    command = (sys.executable, "-m", "modern.train", "--job=sparse_embeddings", *_SERVED)
    ported = Program("parameter_server", command, None, True, 2, ps, 1, _SPARSE_WARMUP_STEPS)
    return [
        *_of_one_model_fn("original_sparse", (), (), original_python, ps),
        ported,
        _with_keras3(ported),
    ]


def _with_keras3(program: Program) -> Program:
    """Returns the same program of `modern.train` with Keras 3."""
    return dataclasses.replace(
        program, name=f"{program.name} Keras 3", command=(*program.command, "--keras=3")
    )


def columns(kind: str, original_python: str | None, ps: int) -> list[Program]:
    """Returns the programs that train a model of baselines/original_columns.py.

    Args:
      kind: The kind of the model.
      original_python: As in `mnist_cnn`.
      ps: Number of parameter servers.
    """
    return _of_kind("original_columns", kind, "words", original_python, ps)


def files(kind: str, original_python: str | None, ps: int) -> list[Program]:
    """Returns the programs that train on files, with parameter servers and with two workers.

    The synchronous workers split the data by file or by record. The others read all files, as the
    trainers of an Estimator do.

    Args:
      kind: The kind of the files.
      original_python: As in `mnist_cnn`.
      ps: Number of parameter servers.
    """
    programs = _of_kind("original_files", kind, "files", original_python, ps)
    (bridge,) = (program for program in programs if program.name == "bridge")
    for policy in ("file", "data"):
        command = (*bridge.command, "--strategy=multi_worker_mirrored", f"--autoshard={policy}")
        programs.append(
            dataclasses.replace(
                bridge,
                name=f"bridge split by {policy}",
                command=command,
                chief=False,
                ps=0,
                batches_per_step=2,
            )
        )
    return programs


def _of_kind(
    name: str, kind: str, path: str, original_python: str | None, ps: int
) -> list[Program]:
    """Returns the programs of a baseline that takes a kind, and the name of a path as params."""
    # The braces of JSON are doubled for `str.format`.
    params = f'{{{{"kind": "{kind}", "{path}": "{{dir}}/{path}"}}}}'
    arguments, flags = (kind, f"{{dir}}/{path}"), (f"--model_params={params}",)
    return _of_one_model_fn(name, arguments, flags, original_python, ps)


def _of_one_model_fn(
    name: str,
    arguments: tuple[str, ...],
    flags: tuple[str, ...],
    original_python: str | None,
    ps: int,
) -> list[Program]:
    """Returns the programs that train the model_fn of a baseline.

    Args:
      name: The baseline.
      arguments: The first arguments of the script.
      flags: Flags of the bridge.
      original_python: As in `mnist_cnn`.
      ps: Number of parameter servers.
    """
    script, module = str(_BASELINES / f"{name}.py"), f"benchmarks.baselines.{name}"
    arguments = (script, *arguments, "{dir}/model", "{dir}/speed.json")
    unmodified = (sys.executable, "-m", "legacy.run", *arguments)
    bridge = (
        *(sys.executable, "-m", "migrate", "train", f"--model_fn={module}:model_fn"),
        f"--input_fn={module}:input_fn",
        f"--eval_input_fn={module}:eval_input_fn",
        *(*flags, *_SERVED),
    )
    length = ("{steps}",)
    programs = [
        Program("legacy.run", unmodified, "speed.json", True, 1, ps, length=length),
        Program("bridge", bridge, None, True, 2, ps, 1, _SPARSE_WARMUP_STEPS),
    ]
    if original_python:
        original = (original_python, *arguments)
        programs.insert(0, Program(ORIGINAL, original, "speed.json", True, 1, ps, length=length))
    return programs
