"""A model that goes on from a checkpoint, also where its variables come with its first batch.

restoring.restore(model, "model_dir")

What tf.train.Checkpoint does with such a model, to keep values until their variables come, would
not do: these take the shapes of the values, whatever the model says, and what a checkpoint lacks
begins anew without a word (seen in tf_keras 2.21). So the first batch's shapes make the variables
here, before that batch is used.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from modern.model_files import checkpoints
from modern.model_files.checkpoints import Checkpoints
from modern.model_files.weights import CheckpointError
from modern.process import log_filters

# What `fit`, `evaluate` and `predict` ask a model for, and the step that it is made of.
_STEPS = {
    "make_train_function": "train_step",
    "make_test_function": "test_step",
    "make_predict_function": "predict_step",
}
# Steps are for workers, TensorFlow says, also where one is only traced.
_OF_COORDINATORS = "without using `ClusterCoordinator.schedule`"
_WAITING = "_waits_for_variables"
_ADVICE = "Give another folder, or the model that wrote this one."


@dataclasses.dataclass
class _Waiting:
    """What a model waits for.

    Attributes:
      saved: what it is to be restored from.
      is_building: whether its variables are being made for that.
    """

    saved: Checkpoints
    is_building: bool = False


def restore(model: tf_keras.Model, model_dir: str) -> None:
    """Restores the latest checkpoint in MODEL_DIR/checkpoints, which is there.

    Args:
      model: compiled.
      model_dir: the folder.

    Raises:
      CheckpointError: it is damaged or of another model.
      ValueError: the model is not compiled.
    """
    if model.optimizer is None:
        raise ValueError("the model is not compiled: the step that it goes on from is kept there.")
    saved = Checkpoints(model, model_dir, keep=None, advice=_ADVICE)
    with _keeping_rates(model.optimizer):
        if model.built:
            saved.restore()
            return
        saved.restore_optimizer()
    # Not by setattr, with which Keras would take these for parts of the model.
    own = {name: _restoring(model, getattr(model, name), step) for name, step in _STEPS.items()}
    vars(model).update(own, call=_restoring_call(model, model.call))
    vars(model)[_WAITING] = _Waiting(saved)


def _restoring(
    model: tf_keras.Model, make: Callable[..., Any], step: str
) -> Callable[..., Callable[[Any], Any]]:
    """Makes a function of Keras that restores the model first."""

    def make_function(force: bool = False) -> Callable[[Any], Any]:
        function = make(force)

        def run(iterator: Any) -> Any:
            finish(model, getattr(model, step), iterator.element_spec)
            return function(iterator)

        return run

    return make_function


def _restoring_call(model: tf_keras.Model, call: Callable[..., Any]) -> Callable[..., Any]:
    """The call of a model, where that is how its variables come."""

    def run(*args: Any, **kwargs: Any) -> Any:
        outputs = call(*args, **kwargs)
        if _is_to_be_called_again(model):
            outputs = call(*args, **kwargs)
        return outputs

    return run


@tf.autograph.experimental.do_not_convert
def _is_to_be_called_again(model: tf_keras.Model) -> bool:
    """Restores a model that has been called; says whether that was with its first weights."""
    waiting = vars(model).get(_WAITING)
    if waiting is None or waiting.is_building:
        return False
    with tf.init_scope():
        _complete(model, waiting)
    return tf.executing_eagerly()


def finish(model: tf_keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    """Restores a model that has waited for its variables.

    Args:
      model: the model; nothing happens to one that does not wait.
      step: what makes the variables, such as `model.predict_step`.
      spec: TensorSpecs of what that takes.

    Raises:
      CheckpointError: the checkpoint is damaged or of another model. The model goes on waiting.
    """
    waiting = vars(model).get(_WAITING)
    if waiting is None:
        return
    waiting.is_building = True
    try:
        with _keeping_rates(model.optimizer):
            _make_variables(model, step, spec)
            _complete(model, waiting)
    finally:
        waiting.is_building = False


def prepare(model: tf_keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    """Makes a model's variables without using data, and restores it, if it has waited for them.

    Args:
      model: the model.
      step: what makes the variables: `model.train_step`, with the optimizer's slots, or another.
      spec: TensorSpecs of what that takes.

    Raises:
      CheckpointError: the checkpoint is damaged or of another model. The model goes on waiting.
    """
    if _WAITING in vars(model):
        finish(model, step, spec)
    else:
        _make_variables(model, step, spec)


def _make_variables(model: tf_keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    strategy = model.distribute_strategy
    with strategy.scope(), log_filters.hidden(_OF_COORDINATORS):
        tf.function(lambda data: strategy.run(step, args=(data,))).get_concrete_function(spec)


def _complete(model: tf_keras.Model, waiting: _Waiting) -> None:
    with _keeping_rates(model.optimizer):
        # What was saved before the first step may lack the optimizer's slots.
        waiting.saved.restore(partly=not int(model.optimizer.iterations.numpy()))
    model.reset_metrics()  # Their sums were saved too, and this is the first batch.
    for name in (_WAITING, "call", *_STEPS):
        del vars(model)[name]


@contextlib.contextmanager
def _keeping_rates(optimizer: Any) -> Iterator[None]:
    """Keeps the program's learning rate, which a checkpoint of an Estimator did not have."""
    optimizers = getattr(optimizer, "optimizers", [optimizer])
    rates = [getattr(one, "learning_rate", None) for one in optimizers]
    kept = [(rate, rate.numpy()) for rate in rates if isinstance(rate, tf.Variable)]
    try:
        yield
    finally:
        for rate, value in kept:
            rate.assign(value)


def refuse_estimators(model: tf_keras.Model, model_dir: str) -> None:
    """Refuses to begin anew in a folder that has a checkpoint which an Estimator wrote.

    Args:
      model: what it is to be converted for.
      model_dir: the folder.

    Raises:
      CheckpointError: it has; the message says how to convert it.
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
        f"{path} is a checkpoint of an Estimator, which is to be converted once. Train this "
        f"program for a step with another, empty folder (NEW) in place of {model_dir}, then: "
        f"python -m migrate checkpoint convert {shlex.quote(model_dir)} --like=NEW/checkpoints "
        f"--output={shlex.quote(target)}{keep}"
    )


def _metrics(model: tf_keras.Model) -> Iterator[str]:
    """Yields the attributes that hold metrics, which are saved with a model."""
    for name, value in vars(model).items():
        parts = tf.nest.flatten(value) if isinstance(value, (dict, list, tuple)) else [value]
        is_metric = [isinstance(part, tf_keras.metrics.Metric) for part in parts]
        if is_metric and all(is_metric) and not name.startswith("_"):
            yield name
