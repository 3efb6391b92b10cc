"""A linear map whose variables live where the cell's do; used by wrappers of cells.

project = Projection([inputs, attention], 64)
outputs = project([inputs, attention])
"""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

tf1 = tf.compat.v1


class Projection:
    """Multiplies by "kernel" and adds "bias", variables of the scope in which it is made."""

    def __init__(self, inputs: Sequence[tf.Tensor], output_size: int) -> None:
        """Makes the variables.

        Args:
          inputs: Matrices with as many columns as those that will be projected.
          output_size: The columns of the result.

        Raises:
          ValueError: An input is no matrix, or its columns are not known.
        """
        for each in inputs:
            if each.shape.rank != 2 or each.shape.as_list()[1] is None:
                raise ValueError(f"linear is expecting 2D arguments with known columns: {inputs}")
        size, dtype = sum(each.shape.as_list()[1] for each in inputs), inputs[0].dtype
        self._kernel = tf1.get_variable("kernel", [size, output_size], dtype)
        with tf1.variable_scope(tf1.get_variable_scope()) as whole:
            whole.set_partitioner(None)
            self._bias = tf1.get_variable(
                "bias", [output_size], dtype, initializer=tf1.zeros_initializer()
            )

    def __call__(self, inputs: Sequence[tf.Tensor]) -> tf.Tensor:
        """Returns the projection of the inputs side by side."""
        joined = inputs[0] if len(inputs) == 1 else tf.concat(inputs, 1)
        return tf.nn.bias_add(tf.matmul(joined, self._kernel), self._bias)
