"""Linear projection of the cell wrappers. Its variables are in the scope of the cell.

project = Projection([inputs, attention], 64)
outputs = project([inputs, attention])
"""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

tf1 = tf.compat.v1


class Projection:
    """Linear projection with "kernel" and "bias", variables of the current variable scope."""

    def __init__(self, inputs: Sequence[tf.Tensor], output_size: int) -> None:
        """Creates the variables.

        Args:
          inputs: Matrices with the same numbers of columns as the matrices to project later.
          output_size: Number of columns of the result.

        Raises:
          ValueError: An input is not a matrix, or its number of columns is unknown.
        """
        for tensor in inputs:
            if tensor.shape.rank != 2 or tensor.shape.as_list()[1] is None:
                raise ValueError(f"linear is expecting 2D arguments with known columns: {inputs}")
        size, dtype = sum(tensor.shape.as_list()[1] for tensor in inputs), inputs[0].dtype
        self._kernel = tf1.get_variable("kernel", [size, output_size], dtype)
        with tf1.variable_scope(tf1.get_variable_scope()) as unpartitioned_scope:
            unpartitioned_scope.set_partitioner(None)  # Only the kernel is partitioned.
            self._bias = tf1.get_variable(
                "bias", [output_size], dtype, initializer=tf1.zeros_initializer()
            )

    def __call__(self, inputs: Sequence[tf.Tensor]) -> tf.Tensor:
        """Returns the projection of the concatenated inputs."""
        joint_input = inputs[0] if len(inputs) == 1 else tf.concat(inputs, 1)
        return tf.nn.bias_add(tf.matmul(joint_input, self._kernel), self._bias)
