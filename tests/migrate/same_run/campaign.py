"""Runs the programs unmodified and after each rung, and compares the runs.

    python -m tests.migrate.same_run.campaign [--output=FOLDER] [PROGRAM ...]

The rungs are "run" (legacy.run, the reference), "legacy" (rewrite --to=legacy), "modern"
(--to=modern), "bridge" (--unsafe, but all models are bridged) and "keras" (--unsafe). A rung is
skipped if it leaves the program as it was after an earlier rung. From "bridge" on, each model
starts from the initial weights of the reference. They come from an Estimator's checkpoint, which
`migrate checkpoint convert` converts for a Keras model.
"""

import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from migrate import same_run
from migrate.checkpoint import Options, convert
from modern.process import cli, quiet_import
from tests.migrate.rewrite import tools
from tests.migrate.same_run import forks

PROGRAMS = pathlib.Path(__file__).with_name("programs")
# A program is a file, or a package with a module `task`.
ALL = sorted(
    [p.stem for p in PROGRAMS.glob("*.py")] + [p.parent.name for p in PROGRAMS.glob("*/task.py")]
)
RUNGS = {
    "legacy": ("run", ["--to=legacy"]),
    "modern": ("legacy", ["--to=modern"]),
    "bridge": ("legacy", ["--to=modern", "--unsafe", "--skip=model_fns,canned_models"]),
    "keras": ("legacy", ["--to=modern", "--unsafe"]),
}
OTHER_WEIGHTS = ("bridge", "keras")
TIMEOUT_S = 240
# The first of these imports decides which Keras the program gets.
_IMPORT = re.compile(r"^ *(?:from|import) (tensorflow|legacy|migrate|modern|tf_keras)\b", re.M)
UNCHANGED, FAILED = "unchanged", "failed"


@dataclasses.dataclass(frozen=True)
class Result:
    """Result of a rung.

    Attributes:
      verdict: Verdict of `same_run`. UNCHANGED if the rung did not change the program. FAILED if
        the changed program raised an error, which is then at the end of `lines`.
      lines: Differences, and parts that were not compared.
    """

    verdict: str
    lines: tuple[str, ...] = ()


class Processes(contextlib.ExitStack):
    """Fork servers with TensorFlow imported: one with legacy Keras and one without, as needed."""

    def __init__(self):
        super().__init__()
        self._forks = {}

    def of(self, texts):
        """Returns the function that runs a program, for the argument `run` of `same_run.record`.

        Args:
          texts: Sources of the program's files, starting with the main file.
        """
        chosen = _IMPORT.search("".join(texts))[1] == "legacy"
        if chosen not in self._forks:
            env = {**tools.ENVIRONMENT, **({"TF_USE_LEGACY_KERAS": "1"} if chosen else {})}
            self._forks[chosen] = self.enter_context(forks.Forks(env))
        return self._forks[chosen].run


class Climb:
    """A program that climbs the rungs.

    Args:
      name: Name of a file or a package in the folder of programs.
      folder: Output folder. It must be empty or absent.
      processes: `Processes` that run the rungs.
    """

    def __init__(self, name, folder, processes):
        self.name, self.folder, self._processes = name, pathlib.Path(folder), processes
        source = self._source("run")
        path = PROGRAMS / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            source.mkdir(parents=True)
            shutil.copy(path.with_suffix(".py"), source)
        self.before = self._record("run", "first")

    def result(self, rung):
        """Returns the `Result` of a rung."""
        lower, options = RUNGS[rung]
        self._rewrite(lower, rung, options)
        text = _texts(self._source(rung))
        earlier = ["run", *RUNGS][: [*RUNGS].index(rung) + 1]
        same = [e for e in earlier if self._source(e).exists() and _texts(self._source(e)) == text]
        if same:
            return Result(UNCHANGED, (f"as after {same[0]}",))
        try:
            after = self._climbed(rung)
        except cli.UsageError as error:  # The initial weights cannot be converted.
            return Result(FAILED, (str(error),))
        if after.exit_code != 0 and after.exit_code != self.before.exit_code:
            return Result(FAILED, tuple(after.output.strip().splitlines()[-12:]))
        outcome = same_run.same_run(self.before, after)
        return Result(outcome.verdict, tuple(str(outcome).splitlines()[1:]))

    def _source(self, rung):
        return self.folder / rung / "source"

    def _rewrite(self, lower, rung, options):
        source = self._source(rung)
        if source.exists():
            return
        if not self._source(lower).exists():
            self._rewrite(RUNGS[lower][0], lower, RUNGS[lower][1])
        shutil.copytree(self._source(lower), source, ignore=shutil.ignore_patterns("__pycache__"))
        done = subprocess.run(
            [sys.executable, "-m", "migrate", "rewrite", "--write", *options, str(source)],
            capture_output=True,
            text=True,
            cwd=tools.ROOT,
            env={**os.environ, **tools.ENVIRONMENT},
            check=False,
        )
        (self.folder / rung / "rewrite.txt").write_text(done.stdout + done.stderr)
        assert done.returncode == 0, done.stderr

    def _climbed(self, rung):
        """Returns the recording of a rung that starts from the initial weights of the reference."""
        if rung not in OTHER_WEIGHTS:
            return self._record(rung, "first")
        if rung == "bridge":
            return self._record(rung, "first", first_weights=self.before)
        # The checkpoints of a first run are the templates for the conversion.
        like = self._record(rung, "first")
        carried = {
            model_dir: (prefix, like.checkpoints[model_dir])
            for model_dir, prefix in self.before.first_checkpoints.items()
            if model_dir in like.checkpoints
        }
        named = {name: prefix for name, (prefix, last) in carried.items() if last.by_name}
        if like.exit_code or not carried:
            return like
        cwd = self.folder / rung / "again" / "work"
        quiet_import.import_tensorflow()
        for model_dir, (prefix, last) in carried.items():
            if not last.by_name:
                (cwd / model_dir / "checkpoints").mkdir(parents=True)
                to = str(cwd / model_dir / "checkpoints" / "ckpt-0")
                _convert(prefix, to, last)
        first = dataclasses.replace(self.before, first_checkpoints=named)
        return self._record(rung, "again/run", cwd=str(cwd), first_weights=first)

    def _record(self, rung, name, **options):
        source = self._source(rung)
        is_package = (source / self.name).is_dir()
        program = ["-m", f"{self.name}.task"] if is_package else [str(source / f"{self.name}.py")]
        command = ["python", *(["-m", "legacy.run"] if rung == "run" else []), *program]
        path = [str(source), tools.ENVIRONMENT["PYTHONPATH"]]
        env = {**tools.ENVIRONMENT, "PYTHONPATH": os.pathsep.join(path if is_package else path[1:])}
        if rung != "run":
            texts = _texts(source)
            first = f"{self.name}/task.py" if is_package else f"{self.name}.py"
            texts = [texts.pop(pathlib.Path(first)), *texts.values()]
            options["run"] = self._processes.of(texts)
        return same_run.record(
            command, str(self.folder / rung / name), env=env, timeout=TIMEOUT_S, **options
        )


def _convert(prefix, to, last):
    """Converts an initial checkpoint with the options that `migrate checkpoint` suggests."""
    keep = tuple(f"model/{attribute}/*" for attribute in last.keep)
    # STOP belongs to a hook. Keras computes the beta powers from the step, which is 0 here. All
    # momentum is 0 before the first step, so that any learning rate is right.
    options = Options(
        keep=keep, leave_out=("signal_early_stopping/STOP", "beta?_power"), learning_rate=1.0
    )
    try:
        convert(prefix, to, like=last.path, options=options)
    except cli.UsageError as error:
        # One side has momentum slots even if its momentum is 0.
        if "Momentum is of no effect if the hyperparameter is 0" not in str(error):
            raise
        slots = {"keep": (*keep, "SGD/m/*"), "leave_out": (*options.leave_out, "*/RMSProp_1")}
        convert(prefix, to, like=last.path, options=dataclasses.replace(options, **slots))


def _texts(folder):
    return {path.relative_to(folder): path.read_text() for path in folder.rglob("*.py")}


def main(argv):
    """Prints one line for each program and rung, with the differences."""
    output = next((a.partition("=")[2] for a in argv if a.startswith("--output=")), None)
    output = output or tempfile.mkdtemp()
    with Processes() as processes:
        for name in [a for a in argv if not a.startswith("-")] or ALL:
            climb = Climb(name, os.path.join(output, name), processes)
            print(f"{name}: exit code {climb.before.exit_code}", flush=True)
            if climb.before.exit_code:
                print("    " + "\n    ".join(climb.before.output.splitlines()[-5:]), flush=True)
                continue
            for rung in RUNGS:
                result = climb.result(rung)
                print(f"  {rung}: {result.verdict}", flush=True)
                for line in result.lines[:12]:
                    print(f"      {line}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
