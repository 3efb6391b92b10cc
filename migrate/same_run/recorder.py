"""Records the trainings, evaluations and predictions of a program, in the program's process.

    recorder.begin("runs/before")

The program is not edited. `begin` waits until the modules that train are imported, and wraps the
public methods of their classes. The wrappers pass on all arguments and results. A training gets an
additional hook or callback, which reads the loss that is computed anyway. Only the outermost call
of a kind is recorded, because these methods call each other.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import itertools
import os
import shutil
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from migrate.same_run import after_import, examples, gradients, recording


def begin(folder: str) -> None:
    """Starts recording this process.

    Args:
      folder: The recording's folder, which must exist.
    """
    recording.append_event(folder, {"kind": "begun"})
    recorder = _Recorder(folder)
    patches = {
        "legacy.estimator.estimator": recorder.wrap_estimators,
        "legacy.contrib.learn.estimators.base_estimator": recorder.wrap_contrib_estimators,
        "migrate.bridge.model": recorder.wrap_bridged,
        "modern.porting.local_copies": recorder.wrap_own_evaluations,
        "modern.porting": recorder.wrap_ported,
        "tf_keras": recorder.wrap_keras,
    }
    after_import.call(patches)
    after_import.call(recorder.norms.patches())


class _Recorder:
    """Wrappers of the public methods, and the events that they write.

    Args:
      folder: The recording's folder.

    Attributes:
      norms: The gradients that trainings apply.
    """

    def __init__(self, folder: str) -> None:
        self.norms = gradients.Norms()
        self._folder = folder
        self._cwd = os.getcwd()
        self._numbers = itertools.count()
        self._depths = threading.local()
        self._begun: set[str] = set()

    def wrap_estimators(self, module: types.ModuleType) -> None:
        """Wraps `tf.estimator.Estimator`."""
        kind = module.Estimator
        self._replace(kind, "train", lambda train: self._estimator_training(train, "hooks"))
        self._replace(kind, "evaluate", self._evaluation)
        self._replace(kind, "predict", self._generator)
        self._replace(kind, "_call_model_fn", _noting_features)

    def wrap_contrib_estimators(self, module: types.ModuleType) -> None:
        """Wraps the Estimator of tf.contrib.learn."""
        kind = module.BaseEstimator
        self._replace(kind, "fit", lambda fit: self._estimator_training(fit, "monitors"))
        self._replace(kind, "evaluate", self._evaluation)
        self._replace(kind, "predict", self._generator)

    def wrap_keras(self, module: types.ModuleType) -> None:
        """Wraps `tf_keras.Model`."""
        kind = module.Model
        self._replace(kind, "fit", self._keras_training)
        self._replace(kind, "evaluate", self._evaluation)
        self._replace(kind, "predict", self._generator)

    def wrap_bridged(self, module: types.ModuleType) -> None:
        """Wraps the evaluation of a bridged model, which adds results to that of a Keras model."""
        self._replace(module.KerasModelFn, "evaluate", self._evaluation)

    def wrap_own_evaluations(self, module: types.ModuleType) -> None:
        """Wraps evaluations that a process makes by itself, under any strategy."""
        self._replace(module, "evaluate", self._evaluation)

    def wrap_ported(self, module: types.ModuleType) -> None:
        """Wraps the predictions of ported programs."""
        self._replace(module, "predict", self._generator)

    @staticmethod
    def _replace(owner: Any, name: str, wrap: Callable[..., Any]) -> None:
        function = getattr(owner, name)
        setattr(owner, name, functools.wraps(function)(wrap(function)))

    @contextlib.contextmanager
    def _call(self, kind: str) -> Iterator[bool]:
        """Yields True in the outermost call of a kind in this thread."""
        depth = getattr(self._depths, kind, 0)
        setattr(self._depths, kind, depth + 1)
        try:
            yield depth == 0
        finally:
            setattr(self._depths, kind, depth)

    def _write(self, kind: str, make_event: Callable[[], dict[str, Any]]) -> None:
        """Writes an event. An error in creating it is recorded, and does not end the program."""
        try:
            event = {"kind": kind, **make_event()}
        except Exception as error:
            event = {"kind": "failed", "text": f"{kind}: {type(error).__name__}: {error}"}
        recording.append_event(self._folder, event)

    def _relative(self, model_dir: Any) -> str:
        """Returns the name of a folder in the recording."""
        if not model_dir:
            return ""
        path = os.path.abspath(os.path.join(self._cwd, os.fsdecode(model_dir)))
        inside = os.path.commonpath([path, self._cwd]) == self._cwd
        return os.path.relpath(path, self._cwd) if inside else path

    def _folder_of(self, model: Any) -> str:
        """Returns the name of a model's folder in the recording. "" if it has none."""
        try:
            return self._relative(getattr(model, "model_dir", None))
        except (TypeError, ValueError):
            return ""

    def _estimator_training(self, train: Callable[..., Any], hooks: str) -> Callable[..., Any]:
        signature = inspect.signature(train)

        def wrapped(estimator: Any, *args: Any, **kwargs: Any) -> Any:
            with self._call("training") as outermost:
                bound = signature.bind(estimator, *args, **kwargs)
                if not outermost or bound.arguments.get("x") is not None:
                    return train(estimator, *args, **kwargs)
                keep_first = functools.partial(self._keep_first, estimator.model_dir)
                number = next(self._numbers)
                found = _losses_of_sessions(keep_first, self.norms)
                bound.arguments[hooks] = [*(bound.arguments.get(hooks) or []), found]
                try:
                    return train(*bound.args, **bound.kwargs)
                finally:
                    self._write(
                        "training",
                        lambda: {
                            "number": number,
                            "model_dir": self._relative(estimator.model_dir),
                            "losses": found.losses,
                            "gradients": found.gradients,
                            "no_gradients": self.norms.problem,
                            "examples": found.examples,
                            "keep": (),
                            "first": found.first,
                        },
                    )

        return wrapped

    def _keep_first(self, model_dir: Any) -> str:
        """Copies the initial checkpoint of a folder's first training.

        Args:
          model_dir: The folder.

        Returns:
          The copy's path within the recording. "" if no checkpoint exists, or the folder has been
          trained in before.
        """
        import tensorflow as tf

        prefix = tf.train.latest_checkpoint(model_dir)
        if not prefix or model_dir in self._begun:
            return ""
        self._begun.add(model_dir)
        place = os.path.join(f"first-{len(self._begun)}", "named", os.path.basename(prefix))
        copy_checkpoint(prefix, os.path.join(self._folder, place))
        return place

    def _keras_training(self, fit: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(fit)

        def wrapped(model: Any, *args: Any, **kwargs: Any) -> Any:
            with self._call("training") as outermost:
                if not outermost:
                    return fit(model, *args, **kwargs)
                bound = signature.bind(model, *args, **kwargs)
                number, found = next(self._numbers), _losses_of_keras(model, self.norms)
                callbacks = bound.arguments.get("callbacks") or []
                if isinstance(callbacks, (list, tuple)):
                    # First, because the other callbacks may evaluate.
                    bound.arguments["callbacks"] = [found, *callbacks]
                else:  # A CallbackList.
                    callbacks.append(found)
                try:
                    return fit(*bound.args, **bound.kwargs)
                finally:
                    self._write(
                        "training",
                        lambda: {
                            "number": number,
                            "model_dir": self._relative(vars(model).get("model_dir")),
                            "losses": found.losses,
                            "gradients": found.gradients,
                            "no_gradients": self.norms.problem,
                            "keep": _metric_attributes(model),
                        },
                    )

        return wrapped

    def _evaluation(self, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(model: Any, *args: Any, **kwargs: Any) -> Any:
            with self._call("evaluation") as outermost:
                found = evaluate(model, *args, **kwargs)
                if outermost:
                    self._write(
                        "evaluation",
                        lambda: {
                            "model_dir": self._folder_of(model),
                            "metrics": _with_step(_by_name(model, found), model),
                        },
                    )
                return found

        return wrapped

    def _generator(self, predict: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps a function that yields predictions, or returns all of them."""
        signature = inspect.signature(predict)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if getattr(self._depths, "predictions", 0):
                return predict(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            folder = self._folder_of(next(iter(bound.arguments.values()), None))
            found = self._within("predictions", lambda: predict(*args, **kwargs))
            if isinstance(found, Iterator):
                single = bound.arguments.get("yield_single_examples", True)
                batches = bound.arguments.get("iterate_batches", not single)
                return self._reading(found, batches, folder)
            written = _Written(folder)
            written.add(found, batch=True)
            self._write("predictions", lambda: written.event(next(self._numbers)))
            return found

        return wrapped

    def _within(self, kind: str, call: Callable[[], Any]) -> Any:
        with self._call(kind):
            return call()

    def _reading(self, predictions: Iterator[Any], batches: bool, folder: str) -> Iterator[Any]:
        """Yields predictions, and records those that the program has read."""
        number, written = next(self._numbers), _Written(folder)
        end = object()
        try:
            while True:
                # A generator runs inside of `next`, and may call other wrapped methods there.
                item = self._within("predictions", lambda: next(predictions, end))
                if item is end:
                    return
                written.add(item, batches)
                yield item
        finally:
            self._write("predictions", lambda: written.event(number))


def copy_checkpoint(prefix: str, to: str) -> None:
    """Copies the files of a checkpoint.

    Args:
      prefix: Path of the checkpoint.
      to: Path of the copy. Its folder is created.
    """
    folder, name = os.path.split(prefix)
    os.makedirs(os.path.dirname(to), exist_ok=True)
    for file in os.listdir(folder):
        if file.startswith((f"{name}.index", f"{name}.data-")):
            shutil.copy(os.path.join(folder, file), to + file.removeprefix(name))


def _noting_features(call_model_fn: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(estimator: Any, features: Any, *args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):  # Features of an unknown kind are not kept.
            examples.note(features)
        return call_model_fn(estimator, features, *args, **kwargs)

    return wrapped


def _losses_of_sessions(keep_first: Callable[[], str], norms: gradients.Norms) -> Any:
    """Returns a hook that reads the loss of each step, and the first gradients and features.

    Args:
      keep_first: Called before the first step, after the session has saved its first checkpoint.
      norms: Reads gradients.
    """
    import tensorflow as tf

    class Losses(tf.compat.v1.train.SessionRunHook):
        """Reads the loss, which is the last in its collection."""

        def __init__(self) -> None:
            self.losses: list[tuple[int, float]] = []
            self.gradients: list[tuple[int, float]] = []
            self.examples: dict[str, Any] = {}
            self.first: str | None = None

        def before_run(self, run_context: Any) -> Any:
            fetches: dict[str, Any] = {}
            graph = run_context.session.graph
            if self.first is None:
                self.first = keep_first()
                norms.take()  # What is left of an earlier training.
                fetches["examples"] = examples.tensors(graph)
            losses = graph.get_collection(tf.compat.v1.GraphKeys.LOSSES)
            if losses:
                fetches["loss"] = losses[-1]
            if len(self.gradients) < gradients.STEPS:
                fetches["squares"] = norms.of_graph(graph)
            return tf.compat.v1.train.SessionRunArgs(fetches or None)

        def after_run(self, run_context: Any, run_values: Any) -> None:
            del run_context
            found = run_values.results or {}
            if "loss" not in found:
                return
            self.losses.append((len(self.losses) + 1, float(np.mean(found["loss"]))))
            if found.get("examples"):
                self.examples = examples.first(found["examples"])
            squares = [*found.get("squares", ()), norms.take()]
            if any(one is not None for one in squares) and len(self.gradients) < gradients.STEPS:
                total = sum(float(one) for one in squares if one is not None)
                self.gradients.append((len(self.losses), total))

    return Losses()


def _losses_of_keras(model: Any, norms: gradients.Norms) -> Any:
    """Returns a callback that reads the loss of each step. With parameter servers: each epoch.

    It also reads the gradients of the first steps.

    Args:
      model: The model.
      norms: Reads gradients.
    """
    import tensorflow as tf
    import tf_keras

    servers = isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy)

    class Losses(tf_keras.callbacks.Callback):
        """Reads the growth of the metric "loss", a mean.

        The logs have the mean over an epoch, or a value that a hook has logged under that name. The
        metric is also read before each batch, because an evaluation within a training resets it.
        """

        def __init__(self) -> None:
            super().__init__()
            self.losses: list[tuple[int, float]] = []
            self.gradients: list[tuple[int, float]] = []
            self._before = self._done = 0
            self._base = (0.0, 0.0)

        def on_train_begin(self, logs: Any = None) -> None:
            norms.take()  # What is left of an earlier training.

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            self._before, self._done = self._before + self._done, 0

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            if servers and "loss" in (logs or {}):
                self._done = int(self.params.get("steps") or 1)
                self.losses.append((self._before + self._done, float(logs["loss"])))

        def read_gradients(self, steps: int) -> None:
            """Reads the mean sum of squares of the last steps."""
            total, step = norms.take(), self._before + self._done
            if total is not None and step - steps < gradients.STEPS:
                self.gradients.append((step, total / steps))

    if not servers:  # With parameter servers, Keras rejects batch callbacks.

        def on_train_batch_begin(self: Any, batch: int, logs: Any = None) -> None:
            self._base = _total_and_count(self.model)

        def on_train_batch_end(self: Any, batch: int, logs: Any = None) -> None:
            (before, counted), (total, count) = self._base, _total_and_count(self.model)
            steps, self._done = batch + 1 - self._done, batch + 1
            self.read_gradients(max(steps, 1))
            if count > counted:
                loss = (total - before) / (count - counted)
                self.losses.append((self._before + self._done, loss))

        Losses.on_train_batch_begin = on_train_batch_begin
        Losses.on_train_batch_end = on_train_batch_end
    return Losses()


def _total_and_count(model: Any) -> tuple[float, float]:
    """Returns the sums of a model's metric "loss". Zeros if it has none yet."""
    for metric in model.metrics:
        if metric.name == "loss" and hasattr(metric, "total") and hasattr(metric, "count"):
            return float(metric.total.numpy()), float(metric.count.numpy())
    return 0.0, 0.0


def _metric_attributes(model: Any) -> list[str]:
    """Returns the names of attributes that hold metrics."""
    import tf_keras

    found = []
    for name, value in vars(model).items():
        parts = value.values() if isinstance(value, dict) else value
        parts = [*parts] if isinstance(parts, (list, tuple, type({}.values()))) else [value]
        if parts and all(isinstance(one, tf_keras.metrics.Metric) for one in parts):
            found.append(name)
    return [name for name in found if not name.startswith("_")]


def _by_name(model: Any, found: Any) -> Any:
    """Returns the metrics of an evaluation by name."""
    if isinstance(found, dict):
        return found
    values = [*found] if isinstance(found, (list, tuple)) else [found]
    names = [*getattr(model, "metrics_names", ())]
    if len(names) != len(values):
        names = [f"value {number}" for number, _ in enumerate(values, start=1)]
    return dict(zip(names, values, strict=True))


def _with_step(metrics: dict[str, Any], model: Any) -> dict[str, Any]:
    """Returns metrics as numbers and arrays, with the step if the model has one."""
    found = {str(name): np.asarray(value) for name, value in metrics.items()}
    if "global_step" not in found:
        step = getattr(model, "global_step", None)  # Of a bridged model.
        if step is None:
            step = getattr(getattr(model, "optimizer", None), "iterations", None)
        if step is not None:
            found["global_step"] = np.asarray(step.numpy() if hasattr(step, "numpy") else step)
    return found


class _Written:
    """Predictions that have been read so far.

    An error is kept until they are recorded, so that it does not reach the program.

    Args:
      model_dir: Folder of the model.
    """

    def __init__(self, model_dir: str) -> None:
        self._model_dir = model_dir
        self._kept: dict[str, list[Any]] = {}
        self._left: dict[str, int] = {}
        self._shapes: dict[str, list[tuple[int, ...]]] = {}
        self._examples: dict[str, int] = {}
        self._digests: dict[str, Any] = {}
        self._error: Exception | None = None

    def add(self, item: Any, batch: bool) -> None:
        """Adds an example, or a batch of them."""
        try:
            named = item if isinstance(item, dict) else {"": item}
            for name, value in named.items():
                value = np.asarray(value)
                is_batch = batch and value.ndim > 0
                self._add(str(name), value if is_batch else value[np.newaxis])
        except Exception as error:
            self._error = error

    def _add(self, name: str, examples: np.ndarray) -> None:
        shapes = self._shapes.setdefault(name, [])
        self._examples[name] = self._examples.get(name, 0) + len(examples)
        if not shapes or shapes[-1] != examples.shape[1:]:
            shapes.append(examples.shape[1:])
        flat = examples.ravel()
        data = flat.tobytes() if flat.dtype.kind != "O" else repr(flat.tolist()).encode()
        self._digests.setdefault(name, hashlib.sha256()).update(data)
        left = self._left.setdefault(name, recording.PREDICTIONS_KEPT)
        self._kept.setdefault(name, []).append(flat[:left])
        self._left[name] = max(0, left - flat.size)

    def event(self, number: int) -> dict[str, Any]:
        """Returns the event of predictions.

        Args:
          number: Number of the call.

        Raises:
          Exception: The error that `add` kept.
        """
        if self._error is not None:
            raise self._error
        return {
            "number": number,
            "model_dir": self._model_dir,
            "values": {name: np.concatenate(parts) for name, parts in self._kept.items()},
            "shapes": self._shapes,
            "examples": self._examples,
            "digests": {name: digest.hexdigest() for name, digest in self._digests.items()},
        }
