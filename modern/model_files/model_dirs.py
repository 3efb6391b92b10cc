"""The folder of a model and its save interval, which an Estimator had as attributes.

>>> from modern.process.chosen_keras import keras
>>> model = keras.Sequential()
>>> settle(model, "model_dir", {"save_steps": 100})
>>> model.model_dir, saves_of(model)
('model_dir', {'save_steps': 100})
"""

from __future__ import annotations

import tempfile
from typing import Any

import tensorflow as tf

from modern.process import cli, files
from modern.process.chosen_keras import keras

_SAVES = "_saves_in_model_dir"
_CHECKPOINT = "_seen_in_model_dir"


def settle(model: keras.Model, model_dir: str | None, saves: dict[str, Any]) -> None:
    """Stores the folder of a model as its attribute `model_dir`, together with the save interval.

    Args:
      model: The model.
      model_dir: The folder. None if the model has none.
      saves: The save interval, as arguments of `SaveCheckpoints`.

    Raises:
      SystemExit: TensorFlow has no file system for the folder (code 2).
    """
    with cli.refusing(cli.UsageError):
        files.check_scheme(model_dir or "")
    # Not by setattr: Keras would track the dict as a part of the model.
    vars(model).update(model_dir=model_dir, **{_SAVES: saves})


def of(model: keras.Model | None) -> str | None:
    """Returns the folder of a model. None if the model or its folder is None."""
    return vars(model).get("model_dir") if model is not None else None


def saves_of(model: keras.Model) -> dict[str, Any]:
    """Returns the save interval of a model, as arguments of `SaveCheckpoints`."""
    return vars(model).get(_SAVES, {})


def note_checkpoint(model: keras.Model, path: str | None) -> None:
    """Stores the path of the checkpoint that the model has restored or saved last."""
    vars(model)[_CHECKPOINT] = path


def noted_checkpoint(model: keras.Model) -> str | None:
    """Returns the path that `note_checkpoint` has stored, or None."""
    return vars(model).get(_CHECKPOINT)


def or_temporary(model: keras.Model) -> str:
    """Returns the folder of a model, or creates a temporary one, as an Estimator did."""
    folder = of(model)
    if folder is None:
        folder = tempfile.mkdtemp()
        settle(model, folder, saves_of(model))
        tf.compat.v1.logging.warning("Using temporary folder as model_dir: %s", folder)
    return folder
