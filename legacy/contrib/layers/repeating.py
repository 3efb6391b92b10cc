"""Layers applied one after another: tf.contrib.layers's repeat and stack.

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
    """Applies a layer several times, each with variables of its own.

    Args:
      inputs: A tensor.
      repetitions: How often.
      layer: The layer.
      *args: Its arguments.
      **kwargs: Its arguments, and `scope`; the layers' own are numbered from 1.

    Returns:
      The last result.
    """
    scope = kwargs.pop("scope", None)
    return _one_after_another(inputs, layer, [args] * repetitions, scope, "Repeat", kwargs)


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Any, **kwargs: Any) -> Any:
    """Applies a layer several times, each with arguments of its own.

    Args:
      inputs: A tensor.
      layer: The layer.
      stack_args: For each time its argument, or a list of them.
      **kwargs: Arguments for all, and `scope`; the layers' own are numbered from 1.

    Returns:
      The last result.

    Raises:
      ValueError: `stack_args` is not a list.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError(f"stack_args need to be a list or tuple, not {stack_args!r}")
    calls = [args if isinstance(args, (list, tuple)) else [args] for args in stack_args]
    return _one_after_another(inputs, layer, calls, scope, "Stack", kwargs)
