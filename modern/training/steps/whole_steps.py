"""Steps that change nothing if there is no data for them.

    whole_steps.wait_for_data(model)

If Keras does not know the size of a Dataset, it begins a step to see whether there is more data. A
graph runs operations without a dependency in any order, so some updates could be made by the time
that the step fails. For example, Adam multiplies its averages of an embedding by beta before it
adds the gradients, and only the addition needs data.

A step of an evaluation updates metrics. With Keras 3, a mean of batches of a fixed size would count
one batch more than there is (keras 3.15).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.training.steps import step_wrapper


def wait_for_data(model: keras.Model) -> None:
    """Lets each step of a model that trains or evaluates wait for its data.

    Args:
      model: The model. A second call changes nothing.
    """
    step_wrapper.wrap(model, _waiting)
    if chosen_keras.version() == 2:
        return
    step_wrapper.wrap(model, _waiting, "test_step")
    for optimizer in (model.optimizer, *getattr(model.optimizer, "optimizers", ())):
        if optimizer is not None and "build" not in vars(optimizer):
            # Not by setattr, as in `step_wrapper`.
            vars(optimizer)["build"] = _outside_of_steps(optimizer.build)


def _outside_of_steps(build: Callable[[Any], None]) -> Callable[[Any], None]:
    """Lets an optimizer create its slots outside of the first step, for whose data they would wait.

    TensorFlow could not compute their initial values then.
    """

    def built(variables: Any) -> None:
        with tf.init_scope():
            build(variables)

    return built


def _waiting(step: step_wrapper.Step) -> step_wrapper.Step:
    def waiting_step(data: Any) -> Any:
        with after(data):
            return step(data)

    return waiting_step


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
