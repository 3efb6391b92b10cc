"""Reversible residual layers: tf.contrib.layers.rev_block and RevBlock.

    y1, y2 = rev_block(x1, x2, f, g, num_layers=4)

Each layer computes `y1 = x1 + f(x2)` and `y2 = x2 + g(y1)`. The original did not keep these values
for the gradient, but computed them again. Here TensorFlow keeps them. The gradients are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib._as_written import as_written

tf1 = tf.compat.v1


class RevBlock(tf1.layers.Layer):
    """A block of reversible residual layers, which also computes its inputs from its outputs."""

    def __init__(
        self,
        f: Any,
        g: Any,
        num_layers: int = 1,
        f_side_input: Sequence[Any] | None = None,
        g_side_input: Sequence[Any] | None = None,
        use_efficient_backprop: bool = True,
        name: str = "revblock",
        **kwargs: Any,
    ) -> None:
        """Initializes the block.

        Args:
          f: Function of a tensor, which returns a tensor of the same shape, or a list of such
            functions, one for each layer.
          g: Function or functions like `f`.
          num_layers: Number of layers.
          f_side_input: Tensors that `f` takes as a list in its second argument, or None.
          g_side_input: Tensors that `g` takes as a list in its second argument, or None.
          use_efficient_backprop: Ignored. It selected how gradients were computed.
          name: Name of the block.
          **kwargs: Additional arguments of `tf.compat.v1.layers.Layer`.
        """
        super().__init__(name=name, **kwargs)
        self.num_layers = num_layers
        self.f_side_input = list(f_side_input or [])
        self.g_side_input = list(g_side_input or [])
        self.f = self._in_scopes(f, "f", self.f_side_input)
        self.g = self._in_scopes(g, "g", self.g_side_input)
        self._created: list[Any] = []

    def forward(self, x1: Any, x2: Any) -> tuple[Any, Any]:
        """Returns the outputs (y1, y2) of the block.

        Args:
          x1: First input.
          x2: Second input.
        """
        return self([x1, x2])

    def backward(self, y1: Any, y2: Any) -> tuple[Any, Any]:
        """Returns the inputs (x1, x2) of the block.

        Args:
          y1: First output.
          y2: Second output.
        """
        return self([y1, y2], forward=False)

    @as_written
    def call(self, inputs: Sequence[Any], forward: bool = True) -> tuple[Any, Any]:
        """Runs the layers forward or backward.

        Args:
          inputs: Two tensors.
          forward: If false, computes the inputs of the block from its outputs.

        Returns:
          Two tensors.
        """
        before = len(tf1.global_variables())
        first, second = inputs
        layers = list(zip(self.f, self.g, strict=True))
        if forward:
            for f, g in layers:
                first = first + f(second)
                second = second + g(first)
        else:
            for f, g in reversed(layers):
                second = second - g(first)
                first = first - f(second)
        self._created.extend(tf1.global_variables()[before:])
        return first, second

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables that the functions have created."""
        return [variable for variable in self._created if variable.trainable]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables that the functions have created."""
        return [variable for variable in self._created if not variable.trainable]

    def _in_scopes(
        self, functions: Any, name: str, side_input: list[Any]
    ) -> list[Callable[[Any], Any]]:
        """Returns the function of each layer, which creates its variables in a scope of its own."""
        if not isinstance(functions, list):
            functions = [functions] * self.num_layers
        if len(functions) != self.num_layers:
            raise ValueError(
                f"{name} has {len(functions)} functions; num_layers is {self.num_layers}."
            )
        side_inputs = [side_input] if side_input else []

        def in_scope(number: int, function: Callable[..., Any]) -> Callable[[Any], Any]:
            def call(inputs: Any) -> Any:
                with tf1.variable_scope(f"revlayer_{number}/{name}", use_resource=True):
                    return function(inputs, *side_inputs)

            return call

        return [in_scope(number, function) for number, function in enumerate(functions)]


def rev_block(
    x1: Any,
    x2: Any,
    f: Any,
    g: Any,
    num_layers: int = 1,
    f_side_input: Sequence[Any] | None = None,
    g_side_input: Sequence[Any] | None = None,
    is_training: bool = True,
) -> tuple[Any, Any]:
    """Returns the outputs (y1, y2) of a block of reversible residual layers.

    Args:
      x1: First input.
      x2: Second input.
      f: Function of a tensor, or a list of functions, one for each layer.
      g: Function or functions like `f`.
      num_layers: Number of layers.
      f_side_input: Tensors that `f` takes as a list in its second argument, or None.
      g_side_input: Tensors that `g` takes as a list in its second argument, or None.
      is_training: Ignored. It selected how gradients were computed.
    """
    block = RevBlock(
        f,
        g,
        num_layers,
        f_side_input,
        g_side_input,
        use_efficient_backprop=is_training,
        _reuse=tf1.get_variable_scope().reuse,
    )
    return block.forward(x1, x2)
