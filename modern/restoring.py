"""A model that goes on from a checkpoint, also where its variables come with its first batch.

restoring.restore(model, "model_dir")

What tf.train.Checkpoint does with such a model, to keep values until their variables come, would
not do: these take the shapes of the values, whatever the model says, and what a checkpoint lacks
begins anew without a word (seen in tf_keras 2.21). So the first batch's shapes make the variables
here, before that batch is used.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from modern import checkpoints
from modern.checkpoints import Checkpoints
from modern.weights import CheckpointError

# What `fit`, `evaluate` and `predict` ask a model for, and the step that it is made of.
_STEPS = {
    "make_train_function": "train_step",
    "make_test_function": "test_step",
    "make_predict_function": "predict_step",
}
_PENDING = "_to_be_restored"
_ADVICE = "Give another folder, or the model that wrote this one."


def restore(model: tf_keras.Model, model_dir: str) -> None:
    """Restores the latest checkpoint in MODEL_DIR/checkpoints, which is there.

    Args:
      model: compiled.
      model_dir: the folder.

    Raises:
      CheckpointError: it is damaged or of another model.
    """
    if model.optimizer is None:
        raise ValueError("the model is not compiled: the step that it goes on from is kept there.")
    saved = Checkpoints(model, model_dir, keep=None, advice=_ADVICE)
    with _keeping_rates(model.optimizer):
        if model.built:
            saved.restore()
            return
        saved.restore_optimizer()
    vars(model)[_PENDING] = saved
    for maker, step in _STEPS.items():
        # Not by setattr, with which Keras would take it for a part of the model.
        vars(model)[maker] = _restoring(model, getattr(model, maker), step)


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


def finish(model: tf_keras.Model, step: Callable[[Any], Any], spec: Any) -> None:
    """Restores a model that has waited for its variables.

    Args:
      model: the model; nothing happens to one that does not wait.
      step: what makes the variables, such as `model.predict_step`.
      spec: TensorSpecs of what that takes.

    Raises:
      CheckpointError: the checkpoint is damaged or of another model. The model goes on waiting.
    """
    saved = vars(model).get(_PENDING)
    if saved is None:
        return
    strategy = model.distribute_strategy
    with _keeping_rates(model.optimizer):
        tf.function(lambda data: strategy.run(step, args=(data,))).get_concrete_function(spec)
        # What was saved before the first step may lack the optimizer's slots.
        saved.restore(partly=not int(model.optimizer.iterations.numpy()))
    for name in (_PENDING, *_STEPS):
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


def refuse_estimators(model_dir: str) -> None:
    """Raises CheckpointError where a folder has a checkpoint that an Estimator wrote."""
    path = tf.train.latest_checkpoint(model_dir)
    if not path:
        return
    reader = tf.train.load_checkpoint(path)
    if not reader.has_tensor("global_step"):
        return
    step = int(reader.get_tensor("global_step"))
    target = os.path.join(checkpoints.folder(model_dir), f"ckpt-{step}")
    raise CheckpointError(
        f"{path} is a checkpoint of an Estimator, which is to be converted once. Train this "
        f"program for a step with another, empty folder (NEW) in place of {model_dir}, then: "
        f"python -m migrate checkpoint convert {model_dir} --like=NEW/checkpoints "
        f"--output={target}"
    )
