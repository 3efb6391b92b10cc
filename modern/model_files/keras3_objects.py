"""The objects of a model of Keras 3 that a checkpoint holds, by the names of its variables.

    checkpoint = tf.train.Checkpoint(**keras3_objects.of(model))

`tf.train.Checkpoint(model=model)` would save the variables under the private attributes and the
positions by which Keras 3 finds them. A Sequential model and a functional one with the same layers
differ there, and a restore then silently restores nothing. Frozen layers in a list are not saved at
all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from modern.model_files import weights
from modern.model_files.errors import CheckpointError
from modern.process.chosen_keras import keras, tf_variable


def of(model: keras.Model) -> dict[str, Any]:
    """Returns the objects of a model: its weights, and its optimizer and loss scale if it has them.

    Args:
      model: The model, with its weights. The slots of its optimizer are created.
    """
    objects: dict[str, Any] = {"model": weights_of(model)}
    if getattr(model, "optimizer", None) is not None:
        with model.distribute_strategy.scope():
            model.optimizer.build(model.trainable_variables)
        of_optimizer = {
            f"{owner}/{slot}" if owner else slot: tf_variable(variable)
            for owner, slot, variable in optimizer_variables(model)
        }
        objects["optimizer"] = tf.train.Checkpoint(**of_optimizer)
    loss_scale = getattr(model, "loss_scale", None)
    return objects | ({"loss_scale": loss_scale} if loss_scale else {})


def weights_of(model: keras.Model) -> tf.train.Checkpoint:
    """Returns the weights of a model by name, as an object for a checkpoint.

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
    return tf.train.Checkpoint(**{name: parts[0] for name, parts in named.items()})


def optimizer_variables(model: keras.Model) -> Iterator[tuple[str, str, Any]]:
    """Yields the variables of a model's optimizer.

    Yields:
      The name of the weight, the name of its slot, and the variable: ("a/kernel", "momentum", v).
      For a variable of no weight ("", "iteration", v), or ("", "layer/iteration", v) if an
      optimizer trains one layer.
    """
    # Keras names a slot "a_kernel_momentum", with the path of its weight. In this path, the name of
    # a Sequential model has a number if the process has made others before.
    paths = [weight.path for weight in model.trainable_variables]
    weight_names = {path.replace("/", "_"): path.removeprefix(f"{model.name}/") for path in paths}
    for layer, part in getattr(model.optimizer, "by_layer", {"": model.optimizer}).items():
        for variable in part.variables:
            name = variable.path.rpartition("/")[2]  # Without the name of the optimizer.
            owners = [owner for owner in weight_names if name.startswith(f"{owner}_")]
            if owners:
                owner = max(owners, key=len)
                yield weight_names[owner], name.removeprefix(f"{owner}_"), variable
            else:
                yield "", f"{layer}/{name}" if layer else name, variable
