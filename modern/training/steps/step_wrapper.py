"""Changes of the training step of a Keras model.

step_wrapper.wrap(model, change)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modern.process.chosen_keras import keras

Step = Callable[[Any], Any]


def wrap(model: keras.Model, change: Callable[[Step], Step]) -> None:
    """Replaces the `train_step` of a model by another that calls it.

    Args:
      model: The model. A second call with the same `change` does nothing.
      change: Gets the step and returns the new one.
    """
    # Not by setattr: Keras would track the functions as a part of the model.
    changes = vars(model).setdefault("_changes_of_step", [])
    if change not in changes:
        changes.append(change)
        vars(model)["train_step"] = change(model.train_step)
