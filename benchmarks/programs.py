"""The programs that `benchmarks.speed` measures, and the ratios that they should reach.

>>> [program.name for program in sparse_embeddings(None, ps=2)]
['legacy.run', 'bridge', 'parameter_server']
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys

_BASELINES = pathlib.Path(__file__).parent / "baselines"
_STEPS, _WARMUP_STEPS = 750, 150  # Of mnist_cnn, per trainer.
_SPARSE_STEPS, _SPARSE_WARMUP_STEPS = 700, 100  # As in baselines/original_sparse.py.
ORIGINAL = "tf.estimator 2.15"


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
      batches_per_step: Batches of all trainers in a step.
      length: Arguments that set its length, with {steps}.
    """

    name: str
    command: tuple[str, ...]
    result: str
    chief: bool
    workers: int
    ps: int
    batches_per_step: int = 1
    length: tuple[str, ...] = ("--train_steps={steps}", "--warmup_steps=100")

    def of_batches(self, batches: int) -> list[str]:
        """Returns the arguments with which its trainers take so many batches together."""
        return [part.format(steps=batches // self.batches_per_step) for part in self.length]


@dataclasses.dataclass(frozen=True)
class Bar:
    """A ratio to reach: `program` must be at least `times` as fast as `baseline`."""

    program: str
    baseline: str
    times: float


BARS = (
    Bar("multi_worker_mirrored", "plain multi_worker_mirrored", 1.25),
    Bar("multi_worker_mirrored bfloat16", "plain multi_worker_mirrored", 1.6),
    Bar("parameter_server", "plain parameter_server", 1.25),
    Bar("parameter_server", "legacy", 1.0),
    Bar("legacy", ORIGINAL, 1.0),
)
SPARSE_BARS = (
    Bar("legacy.run", ORIGINAL, 1.0),
    Bar("bridge", ORIGINAL, 1.0),
    Bar("parameter_server", ORIGINAL, 1.0),
)
# Not a bar, but the context of the last one: TensorFlow itself, then and now.
REFERENCE = ("session", "session 2.15")


def mnist_cnn(original_python: str | None) -> list[Program]:
    """Returns the programs that train mnist_cnn, in the order of a round.

    Args:
      original_python: A Python that has TensorFlow 2.15. Without it, its programs are left out.
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
        return Program(name, command, "result.json", *cluster, 2 if cluster == synchronous else 1)

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
    estimator, with_servers = (True, 1, ps), (True, 2, ps)
    script = str(_BASELINES / "original_sparse.py")
    module = "benchmarks.baselines.original_sparse"
    arguments = (script, "{dir}/model", "{dir}/speed.json")
    flags = (
        *("--strategy=parameter_server", "--model_dir={dir}", "--noexport"),
        f"--train_steps={_SPARSE_STEPS}",
        f"--warmup_steps={_SPARSE_WARMUP_STEPS}",
    )
    unmodified = (sys.executable, "-m", "legacy.run", *arguments)
    bridge = (
        *(sys.executable, "-m", "migrate", "train", f"--model_fn={module}:model_fn"),
        f"--input_fn={module}:input_fn",
        f"--eval_input_fn={module}:eval_input_fn",
        *flags,
    )
    ported = (sys.executable, "-m", "modern.train", "--job=sparse_embeddings", *flags)
    programs = [
        Program("legacy.run", unmodified, "speed.json", *estimator, length=("{steps}",)),
        Program("bridge", bridge, "result.json", *with_servers),
        Program("parameter_server", ported, "result.json", *with_servers),
    ]
    if original_python:
        command = (original_python, *arguments)
        original = Program(ORIGINAL, command, "speed.json", *estimator, length=("{steps}",))
        programs.insert(0, original)
    return programs
