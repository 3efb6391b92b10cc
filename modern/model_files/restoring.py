"""Restoring of a model from a checkpoint, also if its variables are created by the first batch.

    restoring.restore(model, "model_dir")

tf.train.Checkpoint can hold values until the variables are created, but it has two faults then. The
variables take the shapes of the values, even if the model has other shapes. And variables that the
checkpoint lacks silently keep their initial values (seen in tf_keras 2.21). So this module creates
the variables from the shapes of the first batch, before that batch is used.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shlex
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import tensorflow as tf

from modern.model_files import checkpoints
from modern.model_files.checkpoints import Checkpoints
from modern.model_files.errors import CheckpointError
from modern.process import chosen_keras, log_filters
from modern.process.chosen_keras import keras

# The methods that `fit`, `evaluate` and `predict` call, and the step that each of them wraps.
_STEPS = {
    "make_train_function": "train_step",
    "make_test_function": "test_step",
    "make_predict_function": "predict_step",
}
# The text of a warning that steps run on workers. It is wrong where a step is only traced.
_OF_COORDINATORS = "without using `ClusterCoordinator.schedule`"
_PENDING = "_waits_for_variables"
_ADVICE = "Give another folder, or the model that wrote this one."


class Values(Protocol):
    """Values for the variables of a model, such as `Checkpoints`."""

    def restore(self, partly: bool = False) -> int:
        """Restores the values, and returns the global step.

        Args:
          partly: Whether variables for which there are no values may keep their own.
        """


@dataclasses.dataclass
class _PendingRestore:
    """The values of a model that waits for its variables.

    Attributes:
      values: The values, such as those of the newest checkpoint of a folder.
      is_building: Whether the variables are being created.
    """

    values: Values
    is_building: bool = False


def restore(model: keras.Model, model_dir: str) -> None:
    """Restores the latest checkpoint in MODEL_DIR/checkpoints, which exists.

    Args:
      model: The compiled model.
      model_dir: The folder.

    Raises:
      CheckpointError: The checkpoint is damaged or of another model.
      ValueError: The model is not compiled.
    """
    if model.optimizer is None:
        raise ValueError(
            "the model is not compiled, and its optimizer stores the step to continue from."
        )
    series = Checkpoints(model, model_dir, keep=None, advice=_ADVICE)
    with _keeping_rates(model.optimizer):
        if model.built:
            series.restore()
            return
        series.restore_optimizer()
    restore_when_built(model, series)


def restore_when_built(model: keras.Model, values: Values) -> None:
    """Restores a model at its first batch, or with `restore_built` if its variables exist.

    Args:
      model: The compiled model.
      values: The values to restore.
    """
    if _PENDING in vars(model):  # It waits for an earlier checkpoint of this folder.
        vars(model)[_PENDING] = _PendingRestore(values)
        return
    # Not by setattr: Keras would track these as parts of the model.
    vars(model).update(call=_restoring_call(model, model.call))
    vars(model)[_PENDING] = _PendingRestore(values)
    if chosen_keras.version() == 3:
        return  # The first step creates the variables when it is traced, before it uses them.
    methods = {name: _restoring(model, getattr(model, name), step) for name, step in _STEPS.items()}
    vars(model).update(methods)
    if model.train_function is not None:  # A callback of `fit` restores, which has made it already.
        model.train_function = model.make_train_function()


def _restoring(
    model: keras.Model, make: Callable[..., Any], step: str
) -> Callable[..., Callable[[Any], Any]]:
    """Wraps a `make_*_function` of Keras so that its function restores the model first."""

    def make_function(force: bool = False) -> Callable[[Any], Any]:
        function = make(force)

        def run(iterator: Any) -> Any:
            finish(model, getattr(model, step), iterator.element_spec)
            return function(iterator)

        return run

    return make_function


def _restoring_call(model: keras.Model, call: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the `call` of a model, for a model whose first call creates its variables."""

    def run(*args: Any, **kwargs: Any) -> Any:
        outputs = call(*args, **kwargs)
        if _restore_after_call(model):
            outputs = call(*args, **kwargs)
        return outputs

    return run


@tf.autograph.experimental.do_not_convert
def _restore_after_call(model: keras.Model) -> bool:
    """Restores a model that has just been called, and returns whether to repeat the call.

    An eager call has computed its outputs with the initial weights, so it must be repeated.
    """
    pending = vars(model).get(_PENDING)
    if pending is None or pending.is_building or not _has_variables(model):
        return False
    with tf.init_scope():
        _complete(model, pending)
    return tf.executing_eagerly()


def _has_variables(model: keras.Model) -> bool:
    """Returns whether a model that is called has its variables. Keras 3 calls it once before."""
    return chosen_keras.version() == 2 or model.built


def finish(model: keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    """Restores a model that waits for its variables.

    Args:
      model: The model. Nothing happens to a model that does not wait.
      step: The function that creates the variables, such as `model.predict_step`.
      spec: TensorSpecs of the argument of `step`.

    Raises:
      CheckpointError: The checkpoint is damaged or of another model. The model then still waits.
    """
    pending = vars(model).get(_PENDING)
    if pending is None:
        return
    pending.is_building = True
    try:
        with _keeping_rates(model.optimizer):
            _make_variables(model, step, spec)
            _complete(model, pending)
    finally:
        pending.is_building = False


def restore_built(model: keras.Model) -> None:
    """Restores a model that waits, if its variables exist already.

    Args:
      model: The model. Nothing happens to a model that does not wait.

    Raises:
      CheckpointError: The values do not fit, or cannot be read. The model then still waits.
    """
    pending = vars(model).get(_PENDING)
    if pending is not None and model.built:
        _complete(model, pending)


def prepare(model: keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    """Creates the variables of a model without using data, and restores the model if it waits.

    Args:
      model: The model.
      step: The function that creates the variables. For example, `model.train_step` also creates
        the slots of the optimizer.
      spec: TensorSpecs of the argument of `step`.

    Raises:
      CheckpointError: The checkpoint is damaged or of another model. The model then still waits.
    """
    if _PENDING in vars(model):
        finish(model, step, spec)
    else:
        _make_variables(model, step, spec)


def _make_variables(model: keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    strategy = model.distribute_strategy
    with strategy.scope(), log_filters.hidden(_OF_COORDINATORS):
        # Tracing creates the variables without running the step.
        tf.function(lambda data: strategy.run(step, args=(data,))).get_concrete_function(spec)


def _complete(model: keras.Model, pending: _PendingRestore) -> None:
    with _keeping_rates(model.optimizer):
        # A checkpoint from before the first step may lack the optimizer's slots.
        pending.values.restore(partly=not int(model.optimizer.iterations.numpy()))
    model.reset_metrics()  # The checkpoint has their sums, too.
    for name in (_PENDING, "call", *_STEPS):
        vars(model).pop(name, None)


@contextlib.contextmanager
def _keeping_rates(optimizer: Any) -> Iterator[None]:
    """Keeps the program's learning rate, which the checkpoint of an Estimator did not contain."""
    optimizers = getattr(optimizer, "optimizers", [optimizer])
    rates: list[Any] = [getattr(part, "learning_rate", None) for part in optimizers]
    values = [(rate, rate.numpy()) for rate in rates if hasattr(rate, "assign")]
    try:
        yield
    finally:
        for rate, value in values:
            rate.assign(value)


def refuse_estimators(model: keras.Model, model_dir: str) -> None:
    """Refuses to train from scratch in a folder that has a checkpoint of an Estimator.

    Args:
      model: The model for which the checkpoint would be converted.
      model_dir: The folder.

    Raises:
      CheckpointError: The folder has such a checkpoint. The message tells how to convert it.
    """
    path = tf.train.latest_checkpoint(model_dir)
    if not path:
        return
    reader = tf.train.load_checkpoint(path)
    if not reader.has_tensor("global_step"):
        return
    step = int(reader.get_tensor("global_step"))
    target = os.path.join(checkpoints.folder(model_dir), f"ckpt-{step}")
    keep = "".join(f" --keep='model/{name}/*'" for name in _metrics(model))
    raise CheckpointError(
        f"{path} is a checkpoint of an Estimator. Convert it once: train this program for a step "
        f"with another, empty folder (NEW) in place of {model_dir}, then: python -m migrate "
        f"checkpoint convert {shlex.quote(model_dir)} --like=NEW/checkpoints "
        f"--output={shlex.quote(target)}{keep}"
    )


def _metrics(model: keras.Model) -> Iterator[str]:
    """Yields the names of the attributes that hold metrics, which are saved with a model."""
    for name, value in vars(model).items():
        parts = tf.nest.flatten(value) if isinstance(value, (dict, list, tuple)) else [value]
        is_metric = [isinstance(part, keras.metrics.Metric) for part in parts]
        if is_metric and all(is_metric) and not name.startswith("_"):
            yield name
