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
import inspect
import itertools
import os
import shutil
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from migrate.same_run import (
    after_import,
    examples,
    gradients,
    initial_values,
    loss_readers,
    prediction_log,
    recording,
)


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
        "legacy.contrib.learn.estimators.sk_compat": recorder.wrap_sk_compat,
        "legacy.contrib.learn.experiments.experiment": recorder.wrap_experiments,
        "migrate.bridge.model": recorder.wrap_bridged,
        "modern.porting.training.local_copies": recorder.wrap_own_evaluations,
        "modern.porting": recorder.wrap_ported,
        "tf_keras": recorder.wrap_keras,
        "keras": recorder.wrap_keras_3,
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
        self._trained_folders: set[str] = set()

    def wrap_estimators(self, module: types.ModuleType) -> None:
        """Wraps `tf.estimator.Estimator`."""
        kind = module.Estimator
        self._replace(kind, "train", lambda train: self._estimator_training(train, "hooks"))
        self._replace(kind, "evaluate", self._evaluation)
        self._replace(kind, "predict", self._generator)
        self._replace(kind, "_call_model_fn", _wrap_call_model_fn)

    def wrap_contrib_estimators(self, module: types.ModuleType) -> None:
        """Wraps the Estimator of tf.contrib.learn."""
        kind = module.BaseEstimator
        self._replace(kind, "fit", lambda fit: self._estimator_training(fit, "monitors"))
        self._replace(kind, "evaluate", self._evaluation)
        self._replace(kind, "predict", self._generator)

    def wrap_sk_compat(self, module: types.ModuleType) -> None:
        """Wraps the form of that Estimator with arrays. Its `fit` calls that of the Estimator."""
        self._replace(module.SKCompat, "score", self._evaluation)
        self._replace(module.SKCompat, "predict", self._generator)

    def wrap_experiments(self, module: types.ModuleType) -> None:
        """Wraps the Experiment of tf.contrib.learn, which evaluates by the clock."""
        self._replace(module.Experiment, "train_and_evaluate", self._experiment)

    def _experiment(self, train_and_evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self._write("experiment", dict)
            return train_and_evaluate(*args, **kwargs)

        return wrapped

    def wrap_keras(self, module: types.ModuleType) -> None:
        """Wraps the class Model of a Keras.

        Args:
          module: tf_keras, or Keras 3.
        """
        kind = module.Model
        self._replace(kind, "fit", functools.partial(self._keras_training, module))
        self._replace(kind, "evaluate", self._evaluation)
        self._replace(kind, "predict", self._generator)

    def wrap_keras_3(self, module: types.ModuleType) -> None:
        """Wraps Keras 3. In an old program, the module keras may be Keras 2."""
        if module.__version__.startswith("3."):
            self.wrap_keras(module)

    def wrap_bridged(self, module: types.ModuleType) -> None:
        """Wraps the evaluation of a bridged model, which adds results to those of Keras."""
        self._replace(module.KerasModelFn, "evaluate", self._evaluation)

    def wrap_own_evaluations(self, module: types.ModuleType) -> None:
        """Wraps evaluations that a process runs by itself, under any strategy."""
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
        """Writes an event. An error in `make_event` is recorded, and does not end the program."""
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
        model = getattr(model, "_estimator", model)  # A SKCompat.
        try:
            return self._relative(getattr(model, "model_dir", None))
        except (TypeError, ValueError):
            return ""

    def _estimator_training(self, train: Callable[..., Any], hooks: str) -> Callable[..., Any]:
        signature = inspect.signature(train)

        def wrapped(estimator: Any, *args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(estimator, *args, **kwargs)
            if bound.arguments.get("x") is not None:
                # It calls itself with an input_fn, and that call is recorded.
                return train(estimator, *args, **kwargs)
            with self._call("training") as outermost:
                if not outermost:
                    return train(estimator, *args, **kwargs)
                keep_first = functools.partial(self._keep_first, estimator.model_dir)
                number = next(self._numbers)
                hook = loss_readers.session_hook(keep_first, self.norms)
                bound.arguments[hooks] = [*(bound.arguments.get(hooks) or []), hook]
                try:
                    return train(*bound.args, **bound.kwargs)
                finally:
                    self._write(
                        "training",
                        lambda: {
                            "number": number,
                            "model_dir": self._relative(estimator.model_dir),
                            "losses": hook.losses,
                            "gradients": hook.gradients,
                            "no_gradients": self.norms.problem,
                            "examples": hook.examples,
                            "keep": (),
                            "first": hook.first,
                        },
                    )

        return wrapped

    def _keep_first(self, model_dir: Any, session: Any) -> str:
        """Copies the initial checkpoint of a folder's first training, or saves its variables.

        Args:
          model_dir: The folder.
          session: The session that trains.

        Returns:
          The copy's path within the recording. "" if the folder has been trained in before, or the
          variables cannot be saved.
        """
        import tensorflow as tf

        if model_dir in self._trained_folders:
            return ""
        self._trained_folders.add(model_dir)
        prefix = tf.train.latest_checkpoint(model_dir)
        name = os.path.basename(prefix or "model.ckpt-0")
        place = os.path.join(f"first-{len(self._trained_folders)}", "named", name)
        if prefix:
            copy_checkpoint(prefix, os.path.join(self._folder, place))
            return place
        with contextlib.suppress(Exception):  # The program can go on without.
            if initial_values.save(session, os.path.join(self._folder, place)):
                return place
        return ""

    def _keep_first_of_model(self, model: Any, spec: Any) -> str:
        """Saves the initial values of a folder's first training.

        Args:
          model: A Keras model, or a bridged one.
          spec: TensorSpecs of a batch.

        Returns:
          As `_keep_first`.
        """
        model_dir = vars(model).get("model_dir")  # Only models of ported programs have it.
        if not model_dir or model_dir in self._trained_folders:
            return ""
        self._trained_folders.add(model_dir)
        place = f"first-{len(self._trained_folders)}"
        with contextlib.suppress(Exception):  # The program can go on without, or fails by itself.
            path = initial_values.save_model(model, spec, os.path.join(self._folder, place))
            return os.path.join(place, path)
        return ""

    def _keras_training(
        self, keras: types.ModuleType, fit: Callable[..., Any]
    ) -> Callable[..., Any]:
        signature = inspect.signature(fit)

        def wrapped(model: Any, *args: Any, **kwargs: Any) -> Any:
            with self._call("training") as outermost:
                if not outermost:
                    return fit(model, *args, **kwargs)
                bound = signature.bind(model, *args, **kwargs)
                number = next(self._numbers)
                keep_first = functools.partial(self._keep_first_of_model, model)
                callback = loss_readers.keras_callback(keras, model, self.norms, keep_first)
                callbacks = bound.arguments.get("callbacks") or []
                if isinstance(callbacks, (list, tuple)):
                    # First, because the other callbacks may evaluate.
                    bound.arguments["callbacks"] = [callback, *callbacks]
                else:  # A CallbackList.
                    callbacks.append(callback)
                try:
                    return fit(*bound.args, **bound.kwargs)
                finally:
                    self._write(
                        "training",
                        lambda: {
                            "number": number,
                            "model_dir": self._relative(vars(model).get("model_dir")),
                            "losses": callback.losses,
                            "gradients": callback.gradients,
                            "no_gradients": self.norms.problem,
                            "keep": _metric_attributes(keras, model),
                            "keras": f"{keras.__name__} {keras.__version__}",
                            "first": callback.first,
                        },
                    )

        return wrapped

    def _evaluation(self, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(model: Any, *args: Any, **kwargs: Any) -> Any:
            with self._call("evaluation") as outermost:
                result = evaluate(model, *args, **kwargs)
                if outermost:
                    self._write(
                        "evaluation",
                        lambda: {
                            "model_dir": self._folder_of(model),
                            "metrics": _with_step(_metrics_by_name(model, result), model),
                            "in_training": getattr(self._depths, "training", 0) > 0,
                        },
                    )
                return result

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
            predictions = self._call_as("predictions", lambda: predict(*args, **kwargs))
            if isinstance(predictions, Iterator):
                single = bound.arguments.get("yield_single_examples", True)
                batches = bound.arguments.get("iterate_batches", not single)
                return self._record_reads(predictions, batches, folder)
            log = prediction_log.PredictionLog(folder)
            log.add(predictions, batch=True)
            self._write("predictions", lambda: log.event(next(self._numbers)))
            return predictions

        return wrapped

    def _call_as(self, kind: str, call: Callable[[], Any]) -> Any:
        with self._call(kind):
            return call()

    def _record_reads(
        self, predictions: Iterator[Any], batches: bool, folder: str
    ) -> Iterator[Any]:
        """Yields predictions, and records those that the program has read."""
        number, log = next(self._numbers), prediction_log.PredictionLog(folder)
        end = object()
        try:
            while True:
                # A generator runs inside of `next`, and may call other wrapped methods there.
                item = self._call_as("predictions", lambda: next(predictions, end))
                if item is end:
                    return
                log.add(item, batches)
                yield item
        finally:
            self._write("predictions", lambda: log.event(number))


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


def _wrap_call_model_fn(call_model_fn: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(estimator: Any, features: Any, *args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):  # Features of an unknown kind are not kept.
            examples.note(features)
        return call_model_fn(estimator, features, *args, **kwargs)

    return wrapped


def _metric_attributes(keras: types.ModuleType, model: Any) -> list[str]:
    """Returns the names of attributes that hold metrics."""
    names = []
    for name, value in vars(model).items():
        parts = value.values() if isinstance(value, dict) else value
        parts = [*parts] if isinstance(parts, (list, tuple, type({}.values()))) else [value]
        if parts and all(isinstance(part, keras.metrics.Metric) for part in parts):
            names.append(name)
    return [name for name in names if not name.startswith("_")]


def _metrics_by_name(model: Any, results: Any) -> Any:
    """Returns the metrics of an evaluation by name."""
    if isinstance(results, dict):
        return results
    values = [*results] if isinstance(results, (list, tuple)) else [results]
    names = [*getattr(model, "metrics_names", ())]
    if len(names) != len(values):
        names = [f"value {number}" for number, _ in enumerate(values, start=1)]
    return dict(zip(names, values, strict=True))


def _with_step(metrics: dict[str, Any], model: Any) -> dict[str, Any]:
    """Returns metrics as arrays, with the step if the model has one."""
    values = {str(name): np.asarray(value) for name, value in metrics.items()}
    if "global_step" not in values:
        step = getattr(model, "global_step", None)  # Only bridged models have it.
        if step is None:
            step = getattr(getattr(model, "optimizer", None), "iterations", None)
        if step is not None:
            values["global_step"] = np.asarray(step.numpy() if hasattr(step, "numpy") else step)
    return values
