"""The objects of a model of Keras 3 that a checkpoint holds, by the names of its variables.

    checkpoint = tf.train.Checkpoint(**keras3_objects.of(model))

`tf.train.Checkpoint(model=model)` would save the variables under the private attributes and the
positions by which Keras 3 finds them. A Sequential model and a functional one with the same layers
differ there, and a restore then silently restores nothing.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.model_files import weights
from modern.process.chosen_keras import keras, tf_variable


def of(model: keras.Model) -> dict[str, Any]:
    """Returns the objects of a compiled model: its weights, its optimizer, and the loss scale.

    Args:
      model: The model, with its weights. The slots of its optimizer are created.
    """
    with model.distribute_strategy.scope():
        model.optimizer.build(model.trainable_variables)
    objects = {"model": weights_of(model), "optimizer": _optimizer(model)}
    loss_scale = getattr(model, "loss_scale", None)
    return objects | ({"loss_scale": loss_scale} if loss_scale else {})


def weights_of(model: keras.Model) -> tf.train.Checkpoint:
    """Returns the weights of a model by name, as an object for a checkpoint."""
    named = {name: parts[0] for name, parts in weights.parts_of(model).items()}
    return tf.train.Checkpoint(**named)


def _optimizer(model: keras.Model) -> tf.train.Checkpoint:
    """Returns the variables of an optimizer: "iteration", and slots such as "a/kernel/momentum"."""
    # Keras names a slot "a_kernel_momentum", with the path of its weight. In this path, the name of
    # a Sequential model has a number if the process has made others before.
    paths = [weight.path for weight in model.trainable_variables]
    weight_names = {path.replace("/", "_"): path.removeprefix(f"{model.name}/") for path in paths}
    names: dict[str, Any] = {}
    for layer, part in getattr(model.optimizer, "by_layer", {"": model.optimizer}).items():
        for variable in part.variables:
            name = variable.path.removeprefix(f"{part.name}/")
            owners = [owner for owner in weight_names if name.startswith(f"{owner}_")]
            if owners:
                owner = max(owners, key=len)
                name = f"{weight_names[owner]}/{name.removeprefix(f'{owner}_')}"
            elif layer:
                name = f"{layer}/{name}"
            names[name] = tf_variable(variable)
    return tf.train.Checkpoint(**names)
