"""Locks the folder of a model for a training, which then continues from the folder's latest step.

    with locked_training.held(adapter, "model_dir"):
        train(adapter.model)

A program restores its model before it trains it. Another run may train in the folder until this one
gets the lock. An Estimator restored the latest checkpoint when its training began, and so does this
module. Otherwise the training would repeat the steps of the other run, and write over its
checkpoints.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import tensorflow as tf

from modern.model_files import intact, model_dirs, rotation
from modern.process import cli
from modern.records import run_lock
from modern.training.adapter import ModelAdapter


@contextlib.contextmanager
def held(adapter: ModelAdapter, model_dir: str) -> Iterator[None]:
    """Holds the lock of a model's folder while the block runs.

    If another run has saved a later step since the model was restored, restores that first.

    Args:
      adapter: The adapter of the model.
      model_dir: The folder.

    Raises:
      SystemExit: Another run trains in the folder, or it cannot be written, or the later checkpoint
        is of another model or damaged (code 2).
    """
    with run_lock.held_or_exit(model_dir):
        _catch_up(adapter, model_dir)
        try:
            yield
        finally:
            if model_dirs.of(adapter.model) == model_dir:
                model_dirs.note_checkpoint(adapter.model, adapter.latest(model_dir))


def _catch_up(adapter: ModelAdapter, model_dir: str) -> None:
    model = adapter.model
    # Synchronous workers restore together. Their chief has locked the folder before.
    has_one_trainer = not isinstance(
        model.distribute_strategy,
        tf.distribute.MultiWorkerMirroredStrategy | tf.distribute.ParameterServerStrategy,
    )
    # A model that is not tied to the folder has not been restored from it, either.
    if not has_one_trainer or model_dirs.of(model) != model_dir:
        return
    path, known_path = adapter.latest(model_dir), model_dirs.noted_checkpoint(model)
    if _step_of(path) <= _step_of(known_path):
        return
    cli.say(f"{path} was saved after this program had read its folder: the model is restored again")
    with intact.or_exit():
        adapter.restore(model_dir)


def _step_of(path: str | None) -> int:
    """Returns the step of a checkpoint, or -1 without any."""
    return rotation.step_of(path) or 0 if path else -1
