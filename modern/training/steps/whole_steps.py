"""Training steps that change nothing if there is no data for them.

    whole_steps.wait_for_data(model)

If Keras does not know the size of a Dataset, it begins a step to see whether there is more data. A
graph runs operations without a dependency in any order, so some updates could be made by the time
that the step fails. For example, Adam multiplies its averages of an embedding by beta before it
adds the gradients, and only the addition needs data.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import tensorflow as tf
import tf_keras

_WRAPPED = "_waits_for_data"


def wait_for_data(model: tf_keras.Model) -> None:
    """Lets each training step of a model wait for its data.

    Args:
      model: The model. A second call changes nothing.
    """
    if vars(model).get(_WRAPPED):
        return
    train_step: Callable[[Any], Any] = model.train_step

    def step(data: Any) -> Any:
        with after(data):
            return train_step(data)

    # Not by setattr: Keras would track the function as a part of the model.
    vars(model).update({"train_step": step, _WRAPPED: True})


def after(data: Any) -> AbstractContextManager[None]:
    """Returns a context whose operations wait for data.

    Args:
      data: Tensors, or a structure of tensors.
    """
    parts = tf.nest.flatten(data, expand_composites=True)
    context: AbstractContextManager[None] = tf.control_dependencies(
        [part for part in parts if tf.is_tensor(part)]
    )
    return context
