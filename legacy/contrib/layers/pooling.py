"""Pooling layers: tf.contrib.layers's.

net = max_pool2d(net, 2, scope="pool1")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import scopes, utils

tf1 = tf.compat.v1
_Size = int | Sequence[int]


def _pool(
    inputs: Any,
    function: Callable[..., tf.Tensor],
    sizes: tuple[Any, Any],
    padding: str,
    data_format: str,
    outputs_collections: Any,
    scope: tuple[Any, str],
) -> tf.Tensor:
    with tf1.name_scope(*scope, [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        spatial = len(data_format) - 2
        if inputs.shape.rank is not None and inputs.shape.rank != spatial + 2:
            raise ValueError(
                f"Input 0 of {scope[1]} is incompatible: expected ndim={spatial + 2}, found "
                f"ndim={inputs.shape.rank}."
            )
        window, strides = (utils.n_positive_integers(spatial, each) for each in sizes)
        outputs = function(
            inputs,
            ksize=_on_space(window, data_format),
            strides=_on_space(strides, data_format),
            padding=padding.upper(),
            data_format=data_format,
        )
        return scopes.finish(opened, outputs, None, outputs_collections)


def _on_space(sizes: Sequence[int], data_format: str) -> list[int]:
    return [1, 1, *sizes] if data_format.startswith("NC") else [1, *sizes, 1]


def _check_format(data_format: str, known: Sequence[str]) -> None:
    if data_format not in known:
        raise ValueError(f"data_format has to be either {' or '.join(known)}, not {data_format!r}.")


@add_arg_scope
def avg_pool2d(
    inputs: Any,
    kernel_size: _Size,
    stride: _Size = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Takes the mean over windows of images.

    Args:
      inputs: Images, of rank 4.
      kernel_size: The window: one number, or height and width.
      stride: From window to window: one number, or two.
      padding: "VALID" or "SAME".
      data_format: "NHWC", channels last, or "NCHW".
      outputs_collections: Collections for the result.
      scope: The name scope.

    Returns:
      The result.

    Raises:
      ValueError: The format or rank is another.
    """
    _check_format(data_format, ("NCHW", "NHWC"))
    return _pool(
        inputs,
        tf1.nn.avg_pool,
        (kernel_size, stride),
        padding,
        data_format,
        outputs_collections,
        (scope, "AvgPool2D"),
    )


@add_arg_scope
def max_pool2d(
    inputs: Any,
    kernel_size: _Size,
    stride: _Size = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Takes the maximum over windows of images; arguments as of `avg_pool2d`."""
    _check_format(data_format, ("NCHW", "NHWC"))
    return _pool(
        inputs,
        tf1.nn.max_pool,
        (kernel_size, stride),
        padding,
        data_format,
        outputs_collections,
        (scope, "MaxPool2D"),
    )


@add_arg_scope
def avg_pool3d(
    inputs: Any,
    kernel_size: _Size,
    stride: _Size = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Takes the mean over windows of volumes; arguments as of `avg_pool2d`, one size more."""
    _check_format(data_format, ("NCDHW", "NDHWC"))
    return _pool(
        inputs,
        tf1.nn.avg_pool3d,
        (kernel_size, stride),
        padding,
        data_format,
        outputs_collections,
        (scope, "AvgPool3D"),
    )


@add_arg_scope
def max_pool3d(
    inputs: Any,
    kernel_size: _Size,
    stride: _Size = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Takes the maximum over windows of volumes; arguments as of `avg_pool3d`."""
    _check_format(data_format, ("NCDHW", "NDHWC"))
    return _pool(
        inputs,
        tf1.nn.max_pool3d,
        (kernel_size, stride),
        padding,
        data_format,
        outputs_collections,
        (scope, "MaxPool3D"),
    )


@add_arg_scope
def pool(
    inputs: Any,
    kernel_size: _Size,
    pooling_type: str,
    padding: str = "VALID",
    data_format: str | None = None,
    dilation_rate: _Size = 1,
    stride: _Size = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Pools over any number of dimensions; see `tf.compat.v1.nn.pool`.

    Args:
      inputs: A tensor of rank 3 or more.
      kernel_size: The window: one number, or one per dimension.
      pooling_type: "MAX" or "AVG".
      padding: "VALID" or "SAME".
      data_format: With channels last, the default, or second: "NCHW" and the like.
      dilation_rate: The distance between elements of a window.
      stride: From window to window.
      outputs_collections: Collections for the result.
      scope: The name scope.

    Returns:
      The result.

    Raises:
      ValueError: The rank is not known or less than 3.
    """
    with tf1.name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        outputs = tf1.nn.pool(
            input=inputs,
            window_shape=utils.n_positive_integers(rank - 2, kernel_size),
            pooling_type=pooling_type,
            padding=padding,
            data_format=data_format,
            dilation_rate=utils.n_positive_integers(rank - 2, dilation_rate),
            strides=utils.n_positive_integers(rank - 2, stride),
            name=opened,
        )
        return scopes.finish(opened, outputs, None, outputs_collections)
