"""The objects of a model of Keras 3 that a checkpoint holds, by the names of its variables.

    checkpoint = tf.train.Checkpoint(**keras3_objects.of(model))

`tf.train.Checkpoint(model=model)` would save the variables under the private attributes and the
positions by which Keras 3 finds them. A Sequential model and a functional one with the same layers
differ there, and a restore then silently restores nothing. Frozen layers in a list are not saved at
all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import tensorflow as tf

from modern.model_files import weights
from modern.model_files.errors import CheckpointError
from modern.process.chosen_keras import keras, tf_variable


def of(
    model: keras.Model, variable_in_file: Callable[[Any], tf.Variable] = tf_variable
) -> dict[str, Any]:
    """Returns the objects of a model: its weights, and its optimizer and loss scale if it has them.

    Args:
      model: The model, with its weights. The slots of its optimizer are created.
      variable_in_file: Returns the variable of TensorFlow that a checkpoint holds for one of Keras.
    """
    objects: dict[str, Any] = {"model": weights_of(model, variable_in_file)}
    if getattr(model, "optimizer", None) is not None:
        with model.distribute_strategy.scope():
            model.optimizer.build(model.trainable_variables)
        objects["optimizer"] = _optimizer(model, variable_in_file)
    loss_scale = getattr(model, "loss_scale", None)
    return objects | ({"loss_scale": loss_scale} if loss_scale else {})


def weights_of(
    model: keras.Model, variable_in_file: Callable[[Any], tf.Variable] = tf_variable
) -> tf.train.Checkpoint:
    """Returns the weights of a model by name, as an object for a checkpoint.

    Args:
      model: The model, with its weights.
      variable_in_file: Returns the variable of TensorFlow that a checkpoint holds for one of Keras.

    Raises:
      CheckpointError: Two weights have the same name.
    """
    named = weights.parts_of(model)
    for name, parts in named.items():
        if len(parts) > 1:
            raise CheckpointError(
                f"{len(parts)} weights of the model have the name {name}, so a checkpoint cannot "
                "tell them apart: give their layers names of their own."
            )
    return tf.train.Checkpoint(
        **{name: variable_in_file(parts[0]) for name, parts in named.items()}
    )


def _optimizer(
    model: keras.Model, variable_in_file: Callable[[Any], tf.Variable]
) -> tf.train.Checkpoint:
    named: dict[str, tf.Variable] = {}
    for part in optimizer_variables(model):
        name = f"{part.owner}/{part.slot}" if part.owner else part.slot
        if part.owner and name in named:
            raise CheckpointError(
                f"two variables of the optimizer have the name {name}, because the names of two "
                "layers differ only in / and _: give one of them another name."
            )
        named[name] = variable_in_file(part.variable)
    return tf.train.Checkpoint(**named)


class OptimizerVariable(NamedTuple):
    """A variable of an optimizer.

    Attributes:
      owner: The name of its weight, such as "a/kernel", or "" if it belongs to none.
      slot: The name of the slot, such as "momentum". Or "iteration", or "layer/iteration" if the
        optimizer trains one layer.
      variable: The variable.
      optimizer: The optimizer. If one contains another, the inner one.
    """

    owner: str
    slot: str
    variable: Any
    optimizer: Any


def optimizer_variables(model: keras.Model) -> Iterator[OptimizerVariable]:
    """Yields the variables of a model's optimizer."""
    # Keras names a slot "a_kernel_momentum", with the path of its weight. In this path, the name of
    # a Sequential model has a number if the process has made others before.
    paths = [weight.path for weight in model.trainable_variables]
    weight_names = {path.replace("/", "_"): path.removeprefix(f"{model.name}/") for path in paths}
    for layer, part in getattr(model.optimizer, "by_layer", {"": model.optimizer}).items():
        inner = getattr(part, "inner_optimizer", part)
        inner_ids = {id(variable) for variable in inner.variables}
        for variable in part.variables:
            optimizer = inner if id(variable) in inner_ids else part
            name = variable.path.rpartition("/")[2]  # Without the name of the optimizer.
            owners = [owner for owner in weight_names if name.startswith(f"{owner}_")]
            if owners:
                owner = max(owners, key=len)
                slot = name.removeprefix(f"{owner}_")
                yield OptimizerVariable(weight_names[owner], slot, variable, optimizer)
            else:
                slot = f"{layer}/{name}" if layer else name
                yield OptimizerVariable("", slot, variable, optimizer)
