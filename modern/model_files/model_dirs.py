"""The folder that a model lives in, and how often it is saved there, as an Estimator knew it.

>>> import tf_keras
>>> model = tf_keras.Sequential()
>>> settle(model, "model_dir", {"save_steps": 100})
>>> model.model_dir, saves_of(model)
('model_dir', {'save_steps': 100})
"""

from __future__ import annotations

import tempfile
from typing import Any

import tensorflow as tf
import tf_keras

_SAVES = "_saves_in_model_dir"


def settle(model: tf_keras.Model, model_dir: str | None, saves: dict[str, Any]) -> None:
    """Notes the folder of a model, as its attribute `model_dir`, and how often it is saved there.

    Args:
      model: the model.
      model_dir: the folder; None where there is none.
      saves: as `SaveCheckpoints` takes it.
    """
    # Not by setattr, with which Keras would take the dict for a part of the model.
    vars(model).update(model_dir=model_dir, **{_SAVES: saves})


def of(model: tf_keras.Model | None) -> str | None:
    """Returns the folder of a model; None where there is no folder, or no model."""
    return vars(model).get("model_dir") if model is not None else None


def saves_of(model: tf_keras.Model) -> dict[str, Any]:
    """Returns how often a model is to be saved, as `SaveCheckpoints` takes it."""
    return vars(model).get(_SAVES, {})


def or_temporary(model: tf_keras.Model) -> str:
    """Returns the folder of a model; one that has none gets a new one, as an Estimator did."""
    if of(model) is None:
        settle(model, tempfile.mkdtemp(), saves_of(model))
        tf.compat.v1.logging.warning("Using temporary folder as model_dir: %s", of(model))
    return of(model)
