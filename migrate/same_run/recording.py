"""A recorded run: trainings, evaluations, predictions, checkpoints and the exit code.

A recording is a folder. The program's process appends events to it, one line of JSON each, so that
a killed run keeps its events. `Recording.load` reads them.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from migrate.same_run import saved_variables

# Number of values of one predict call to store. Of later values, only the digest is stored.
PREDICTIONS_KEPT = 100_000
_EVENTS = "events"
_RESULT = "result.json"


@dataclasses.dataclass(frozen=True)
class Training:
    """A call that trained.

    Attributes:
      model_dir: Folder of the model, relative to the run's folder if it lies in there. "" if the
        model has none.
      losses: Pairs of (last step, mean loss since the previous pair). Steps count from 1 in each
        call.
      keep: Names of attributes of a Keras model that hold metrics, which are saved with the model.
      gradients: Pairs of (last step, mean squared norm of the gradients since the previous pair),
        for the first steps. Empty if they could not be read.
      no_gradients: Reason why gradients could not be read, or "".
      keras: The Keras that trained and its version, such as "keras 3.15.1". "" for an Estimator.
    """

    model_dir: str
    losses: tuple[tuple[int, float], ...]
    keep: tuple[str, ...] = ()
    gradients: tuple[tuple[int, float], ...] = ()
    no_gradients: str = ""
    keras: str = ""

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self.losses[-1][0] if self.losses else 0


@dataclasses.dataclass(frozen=True)
class Predictions:
    """A call that predicted, with the predictions that the program read.

    Attributes:
      values: Values of all examples in a row by name, at most PREDICTIONS_KEPT.
      shapes: Shape of each example by name. A single shape if all are equal.
      examples: Number of examples by name.
      digests: Hash of all values by name, also of those that are not stored.
      model_dir: Folder of the model, as in `Training`.
    """

    values: Mapping[str, np.ndarray]
    shapes: Mapping[str, Any]
    examples: Mapping[str, int]
    digests: Mapping[str, str]
    model_dir: str = ""


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """The last checkpoint of a folder.

    Attributes:
      path: Prefix of the copy that the recording keeps.
      by_name: True for a name-based checkpoint of an Estimator. False for a Keras checkpoint.
      variables: Values of the variables by name.
      keep: Names of attributes that hold metrics, as in `Training`.
    """

    path: str
    by_name: bool
    variables: Mapping[str, np.ndarray]
    keep: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Recording:
    """A recorded run.

    Attributes:
      trainings: Trainings in the order of their starts, without those that ran no step.
      evaluations: Metrics by name of each evaluation, in the order of their ends.
      predictions: Predictions in the order of their starts.
      checkpoints: The last checkpoint of each folder.
      exit_code: Exit code of the program. None after a timeout.
      not_recorded: Sentences on parts of the run that are not in the recording.
      first_checkpoints: Initial checkpoint of the first training in each folder.
      output: The end of the program's output, including standard error.
      evaluation_dirs: Folder of the model of each evaluation, as in `Training`.
      evaluations_in_training: Indices of the evaluations that ran during a training.
      runs_experiments: Whether an Experiment of contrib.learn trained and evaluated.
      exports: Folders of SavedModels by name. A time in a name is replaced by its order.
      examples: First examples of the features of the first training, as `examples.first` returns.
    """

    trainings: tuple[Training, ...] = ()
    evaluations: tuple[Mapping[str, Any], ...] = ()
    predictions: tuple[Predictions, ...] = ()
    checkpoints: Mapping[str, Checkpoint] = dataclasses.field(default_factory=dict)
    exit_code: int | None = 0
    not_recorded: tuple[str, ...] = ()
    first_checkpoints: Mapping[str, str] = dataclasses.field(default_factory=dict)
    output: str = ""
    evaluation_dirs: tuple[str, ...] = ()
    evaluations_in_training: frozenset[int] = frozenset()
    runs_experiments: bool = False
    exports: Mapping[str, str] = dataclasses.field(default_factory=dict)
    examples: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def load(cls, folder: str) -> Recording:
        """Reads a recording.

        Args:
          folder: The recording's folder.

        Raises:
          FileNotFoundError: The folder has no recording of a whole run.
        """
        with open(os.path.join(folder, _RESULT)) as file:
            result = json.load(file)
        events = read_events(folder, result["process"])
        # Reversed, so that the first training of a folder wins.
        first = {
            event["model_dir"]: os.path.join(folder, event["first"])
            for event in reversed(events)
            if event.get("first")
        }
        # Events are written when calls end, but calls are compared in the order of their starts.
        trainings, predictions = (
            sorted((e for e in events if e["kind"] == kind), key=lambda event: event["number"])
            for kind in ("training", "predictions")
        )
        evaluations = [e for e in events if e["kind"] == "evaluation"]
        keep = {event["model_dir"]: tuple(event["keep"]) for event in trainings}
        return cls(
            trainings=tuple(_training(e) for e in trainings if e["losses"]),
            evaluations=tuple(e["metrics"] for e in evaluations),
            evaluation_dirs=tuple(e["model_dir"] for e in evaluations),
            evaluations_in_training=frozenset(
                number for number, e in enumerate(evaluations) if e.get("in_training")
            ),
            runs_experiments=any(e["kind"] == "experiment" for e in events),
            predictions=tuple(_predictions(e) for e in predictions),
            checkpoints={
                model_dir: _checkpoint(os.path.join(folder, path), keep.get(model_dir, ()))
                for model_dir, path in result["checkpoints"].items()
            },
            exit_code=result["exit_code"],
            not_recorded=tuple(result["not_recorded"]),
            first_checkpoints=first,
            output=result["output"],
            exports={
                name: os.path.normpath(os.path.join(folder, path))
                for name, path in result["exports"].items()
            },
            examples=next((e["examples"] for e in trainings if e.get("examples")), {}),
        )


def write_result(folder: str, **result: Any) -> None:
    """Writes the part of a recording that is known after the program has ended.

    Args:
      folder: The recording's folder.
      **result: `process`, `exit_code`, `output`, `not_recorded`, `checkpoints` (a path for each
        model_dir) and `exports` (a path for each name). The paths are relative to the recording.
    """
    with open(os.path.join(folder, _RESULT), "w") as file:
        json.dump(result, file, indent=1)


def append_event(folder: str, event: Mapping[str, Any]) -> None:
    """Writes an event of this process.

    Args:
      folder: The recording's folder.
      event: "kind" and the values of the event: JSON values and arrays.
    """
    line = json.dumps(event, default=_encode)
    # One file for each process, because several may write at the same time.
    with open(os.path.join(folder, f"{_EVENTS}.{os.getpid()}"), "a") as file:
        file.write(line + "\n")


def read_events(folder: str, process: int) -> list[dict[str, Any]]:
    """Returns the events of a process, in order.

    Args:
      folder: The recording's folder.
      process: ID of the process.
    """
    path = os.path.join(folder, f"{_EVENTS}.{process}")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line, object_hook=_decode) for line in file]


def processes(folder: str) -> list[int]:
    """Returns the IDs of the processes that trained, evaluated or predicted.

    Args:
      folder: The recording's folder.
    """
    names = [name.split(".") for name in os.listdir(folder)]
    ids = sorted(int(name[1]) for name in names if name[0] == _EVENTS)
    return [
        process
        for process in ids
        if any(e["kind"] != "begun" for e in read_events(folder, process))
    ]


def _encode(value: Any) -> Any:
    """Returns an array or bytes as JSON values."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        return {"__texts__": [_text(item) for item in array.ravel()], "shape": array.shape}
    if not array.ndim:
        return array.item()
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"__array__": data, "dtype": str(array.dtype), "shape": array.shape}


def _decode(value: dict[str, Any]) -> Any:
    if "__array__" in value:
        data = np.frombuffer(base64.b64decode(value["__array__"]), value["dtype"])
        return data.reshape(value["shape"])
    if "__texts__" in value:
        return np.array(value["__texts__"], object).reshape(value["shape"])
    return value


def _text(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _training(event: Mapping[str, Any]) -> Training:
    losses, squares = (
        tuple((step, value) for step, value in event[name]) for name in ("losses", "gradients")
    )
    keep = tuple(event["keep"])
    return Training(
        event["model_dir"], losses, keep, squares, event["no_gradients"], event.get("keras", "")
    )


def _predictions(event: Mapping[str, Any]) -> Predictions:
    names = ("values", "shapes", "examples", "digests", "model_dir")
    return Predictions(*(event[name] for name in names))


def _checkpoint(prefix: str, keep: tuple[str, ...]) -> Checkpoint:
    variables = _Variables(prefix)
    return Checkpoint(prefix, variables.by_name, variables, keep)


class _Variables(Mapping):
    """The variables of a checkpoint, read on access."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    @functools.cached_property
    def _source(self) -> Any:
        from migrate.checkpoint import open_source  # Imports TensorFlow.

        return open_source(self._prefix)

    @property
    def by_name(self) -> bool:
        return not saved_variables.is_of_keras(self._prefix)

    @functools.cached_property
    def _variables(self) -> dict[str, Any]:
        return {variable.name: variable for variable in self._source.stored}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._source.read(self._variables[name])

    def __iter__(self) -> Any:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)
