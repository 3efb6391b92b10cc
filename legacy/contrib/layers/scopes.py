"""How a layer makes its variables and hands out its result; used by all layers here.

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

# What tf.compat.v1.layers call their variables, and what contrib calls them in checkpoints.
WEIGHTS = {"kernel": "weights", "bias": "biases"}
# What of a getter's arguments concerns the variable; the rest is the getter's own business.
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
    """Returns a custom getter that makes model variables.

    Args:
      names: New last parts of variable names, by what the layer calls them.
    """
    names = names or {}

    def get(getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        scope, slash, last = name.rpartition("/")
        return variables.model_variable(
            scope + slash + names.get(last, last),
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
      layer: A layer of `tf.compat.v1.layers`.
      inputs: Its input.
      names: What each of its variables is called; the key of `variables_collections`.
      variables_collections: Collections, or a dict of them.
    """
    outputs = layer(inputs)
    collect(layer, names, variables_collections)
    return outputs


def collect(layer: Any, names: Mapping[str, str], variables_collections: Any) -> None:
    """Adds the variables of a layer to collections, each once."""
    for attribute, kind in names.items():
        variable = getattr(layer, attribute, None)
        if variable is None:
            continue
        for collection in utils.get_variable_collections(variables_collections, kind) or []:
            parts = list(variable) if hasattr(variable, "as_tensor") else [variable]
            for part in parts:
                if not variables.is_one_of(part, tf1.get_collection(collection)):
                    tf1.add_to_collection(collection, part)


def normalized(outputs: tf.Tensor, normalizer_fn: Any, normalizer_params: Any) -> tf.Tensor:
    """Calls a normalizer, if there is one."""
    return normalizer_fn(outputs, **(normalizer_params or {})) if normalizer_fn else outputs


def finish(name: str, outputs: Any, activation_fn: Any, outputs_collections: Any) -> Any:
    """Calls the activation function, if there is one, and adds the result to collections."""
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return utils.collect_named_outputs(outputs_collections, name, outputs)


def keras_format(data_format: str | None) -> str:
    """Returns what `tf.compat.v1.layers` call a data format such as NCHW."""
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def check_format(data_format: str | None) -> None:
    """Checks the data format of images.

    Raises:
      ValueError: It is neither NHWC nor NCHW.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"data_format has to be either NCHW or NHWC, not {data_format!r}.")
