"""Pooling layers of tf.contrib.layers.

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


def _pooling_layer(
    name: str, function: Callable[..., tf.Tensor], formats: tuple[str, str], summary: str
) -> Callable[..., tf.Tensor]:
    """Returns a layer function that pools over windows.

    Args:
      name: Name of the layer function. In camel case, it is the default name scope. For example,
        "max_pool2d" has the scope "MaxPool2D".
      function: Pooling function of `tf.compat.v1.nn`.
      formats: Data formats: channels first, channels last.
      summary: First line of the docstring.
    """
    spatial = len(formats[0]) - 2
    default_scope = name.title().replace("_", "")[:-1] + "D"

    def pool_layer(
        inputs: Any,
        kernel_size: _Size,
        stride: _Size = 2,
        padding: str = "VALID",
        data_format: str = formats[1],
        outputs_collections: Any = None,
        scope: Any = None,
    ) -> tf.Tensor:
        if data_format not in formats:
            raise ValueError(
                f"data_format has to be either {' or '.join(formats)}, not {data_format!r}."
            )
        with tf1.name_scope(scope, default_scope, [inputs]) as scope_name:
            inputs = tf.convert_to_tensor(inputs)
            if inputs.shape.rank not in (None, spatial + 2):
                raise ValueError(
                    f"Input 0 of {default_scope} is incompatible: expected ndim={spatial + 2}, "
                    f"found ndim={inputs.shape.rank}."
                )
            window = utils.n_positive_integers(spatial, kernel_size)
            strides = utils.n_positive_integers(spatial, stride)
            outputs = function(
                inputs,
                ksize=_on_space(window, data_format),
                strides=_on_space(strides, data_format),
                padding=padding.upper(),
                data_format=data_format,
            )
            return scopes.finish(scope_name, outputs, None, outputs_collections)

    pool_layer.__name__ = pool_layer.__qualname__ = name
    pool_layer.__doc__ = f"""{summary}

    Args:
      inputs: A tensor of rank {spatial + 2}.
      kernel_size: The window: one number, or one per dimension.
      stride: From window to window: one number, or one per dimension.
      padding: "VALID" or "SAME".
      data_format: "{formats[1]}", channels last, or "{formats[0]}".
      outputs_collections: Collections for the result.
      scope: The name scope.

    Returns:
      The result.

    Raises:
      ValueError: The format or rank is another.
    """
    return add_arg_scope(pool_layer)


def _on_space(sizes: Sequence[int], data_format: str) -> list[int]:
    return [1, 1, *sizes] if data_format.startswith("NC") else [1, *sizes, 1]


_2D, _3D = ("NCHW", "NHWC"), ("NCDHW", "NDHWC")

avg_pool2d = _pooling_layer(
    "avg_pool2d", tf1.nn.avg_pool, _2D, "Takes the mean over windows of images."
)
max_pool2d = _pooling_layer(
    "max_pool2d", tf1.nn.max_pool, _2D, "Takes the maximum over windows of images."
)
avg_pool3d = _pooling_layer(
    "avg_pool3d", tf1.nn.avg_pool3d, _3D, "Takes the mean over windows of volumes."
)
max_pool3d = _pooling_layer(
    "max_pool3d", tf1.nn.max_pool3d, _3D, "Takes the maximum over windows of volumes."
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
    """Pools over any number of spatial dimensions with `tf.compat.v1.nn.pool`.

    Args:
      inputs: Tensor of rank 3 or more.
      kernel_size: Window size: a number, or a sequence with one number per spatial dimension.
      pooling_type: "MAX" or "AVG".
      padding: Padding: "VALID" or "SAME".
      data_format: Data format, such as "NHWC" or "NCHW". The default is channels last.
      dilation_rate: Dilation rate: a number, or a sequence with one number per spatial dimension.
      stride: Stride: a number, or a sequence with one number per spatial dimension.
      outputs_collections: Collections to add the result to.
      scope: Name scope.

    Returns:
      The pooled tensor.

    Raises:
      ValueError: The rank is unknown or less than 3.
    """
    with tf1.name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as scope_name:
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
            name=scope_name,
        )
        return scopes.finish(scope_name, outputs, None, outputs_collections)
