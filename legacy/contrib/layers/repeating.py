"""Sequences of layers: tf.contrib.layers.repeat and stack.

net = repeat(images, 3, conv2d, 64, [3, 3], scope="conv1")
net = stack(net, fully_connected, [64, 32], scope="fc")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def _scope_name(layer: Callable[..., Any], default: str) -> str:
    return getattr(layer, "__name__", None) or getattr(
        getattr(layer, "func", None), "__name__", default
    )


def _one_after_another(
    inputs: Any,
    layer: Callable[..., Any],
    calls: Iterable[Sequence[Any]],
    scope: Any,
    default: str,
    kwargs: dict[str, Any],
) -> Any:
    with tf1.variable_scope(scope, default, [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        prefix = scope or _scope_name(layer, default.lower())
        for number, args in enumerate(calls, start=1):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{prefix}_{number}"})
        return outputs


def repeat(
    inputs: Any, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """Applies a layer several times. Each application has its own variables.

    Args:
      inputs: Input tensor.
      repetitions: Number of applications.
      layer: Layer function.
      *args: Positional arguments of the layer.
      **kwargs: Keyword arguments of the layer, and `scope`. Each application has a scope with a
        number from 1 on. For example, the scopes of "conv1" are "conv1/conv1_1", "conv1/conv1_2".

    Returns:
      The output of the last application.
    """
    scope = kwargs.pop("scope", None)
    return _one_after_another(inputs, layer, [args] * repetitions, scope, "Repeat", kwargs)


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Any, **kwargs: Any) -> Any:
    """Applies a layer several times. Each application has its own arguments and variables.

    Args:
      inputs: Input tensor.
      layer: Layer function.
      stack_args: List with the argument, or the list of arguments, of each application.
      **kwargs: Keyword arguments of all applications, and `scope`. Each application has a scope
        with a number from 1 on.

    Returns:
      The output of the last application.

    Raises:
      ValueError: `stack_args` is not a list.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError(f"stack_args need to be a list or tuple, not {stack_args!r}")
    calls = [args if isinstance(args, (list, tuple)) else [args] for args in stack_args]
    return _one_after_another(inputs, layer, calls, scope, "Stack", kwargs)
