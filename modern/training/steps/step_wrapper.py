"""Changes of the steps of a Keras model.

step_wrapper.wrap(model, change)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modern.process.chosen_keras import keras

Step = Callable[[Any], Any]


def wrap(model: keras.Model, change: Callable[[Step], Step], name: str = "train_step") -> None:
    """Replaces a step of a model by another that calls it.

    Args:
      model: The model. A second call with the same `change` and name does nothing.
      change: Gets the step and returns the new one.
      name: Name of the step's method.
    """
    # Not by setattr: Keras would track the functions as a part of the model.
    changes = vars(model).setdefault("_changes_of_step", [])
    if (name, change) not in changes:
        changes.append((name, change))
        vars(model)[name] = change(getattr(model, name))
