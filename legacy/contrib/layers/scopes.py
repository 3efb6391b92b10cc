"""Helpers of all layers: they create the variables and collect the output.

with tf.compat.v1.variable_scope(scope, "Conv", [inputs], custom_getter=getter(WEIGHTS)) as opened:
    outputs = use_layer(tf.compat.v1.layers.Conv2D(...), inputs, WEIGHTS, variables_collections)
    return finish(opened.name, outputs, activation_fn, outputs_collections)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.layers import utils

tf1 = tf.compat.v1

# Attribute names in tf.compat.v1.layers, and variable names in the checkpoints of contrib.
WEIGHTS = {"kernel": "weights", "bias": "biases"}
# The arguments of a getter that describe the variable. `model_variable` takes only these.
_PASSED = (
    "shape",
    "dtype",
    "initializer",
    "regularizer",
    "trainable",
    "collections",
    "caching_device",
    "partitioner",
    "use_resource",
    "synchronization",
    "aggregation",
)


def getter(names: Mapping[str, str] | None = None) -> Callable[..., Any]:
    """Returns a custom getter that creates model variables.

    Args:
      names: Variable names, by the layer's names. For example, {"kernel": "weights"} renames
        "Conv/kernel" to "Conv/weights".
    """
    names = names or {}

    def get(getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        scope, slash, last_part = name.rpartition("/")
        return variables.model_variable(
            scope + slash + names.get(last_part, last_part),
            *args,
            custom_getter=getter,
            **{key: value for key, value in kwargs.items() if key in _PASSED},
        )

    return get


def use_layer(
    layer: Any, inputs: tf.Tensor, names: Mapping[str, str], variables_collections: Any
) -> tf.Tensor:
    """Calls a layer and adds its variables to collections.

    Args:
      layer: Layer of `tf.compat.v1.layers`.
      inputs: Input of the layer.
      names: Keys of `variables_collections`, by attribute of the layer.
      variables_collections: Collections, or a dict of collections.

    Returns:
      The output of the layer.
    """
    outputs = layer(inputs)
    collect(layer, names, variables_collections)
    return outputs


def collect(layer: Any, names: Mapping[str, str], variables_collections: Any) -> None:
    """Adds each variable of a layer to its collections, without duplicates."""
    for attribute, kind in names.items():
        variable = getattr(layer, attribute, None)
        if variable is None:
            continue
        for collection in utils.get_variable_collections(variables_collections, kind) or []:
            parts = list(variable) if hasattr(variable, "as_tensor") else [variable]
            for part in parts:
                if not variables.is_one_of(part, tf1.get_collection(collection)):
                    tf1.add_to_collection(collection, part)


def normalize(outputs: tf.Tensor, normalizer_fn: Any, normalizer_params: Any) -> tf.Tensor:
    """Returns the normalized outputs, or the outputs if the normalizer is None."""
    return normalizer_fn(outputs, **(normalizer_params or {})) if normalizer_fn else outputs


def finish(name: str, outputs: Any, activation_fn: Any, outputs_collections: Any) -> Any:
    """Applies the activation function, if any, and adds the result to collections."""
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return utils.collect_named_outputs(outputs_collections, name, outputs)


def keras_format(data_format: str | None) -> str:
    """Returns the name that `tf.compat.v1.layers` use for a data format such as NCHW."""
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def check_format(data_format: str | None) -> None:
    """Raises an error if a data format of images is unsupported.

    Raises:
      ValueError: The data format is neither NHWC nor NCHW.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC, not {data_format!r}.")
