"""Lets the initializers of Keras draw the numbers that those of TensorFlow 1 draw.

An initializer of TensorFlow 1 is an operation of a graph, whose numbers depend on its seed only.
One of Keras calls a stateless operation, which gives other numbers for the same seed. Here both
start from the same numbers, so that a port that changes an initializer is found, also for a
variable with few values.

The initializers of Keras 3 draw all their numbers by functions of `keras.src.backend.random`. The
other users of these functions, such as dropout, keep them.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

# Methods of Keras' generator, and the operations that the initializers of TensorFlow 1 use.
_OPERATIONS = {
    "random_normal": "normal",
    "random_uniform": "uniform",
    "truncated_normal": "truncated_normal",
}


def patch(module: Any, default_seed: int) -> None:
    """Patches the generator of Keras.

    Args:
      module: The module tf_keras.src.backend.
      default_seed: The seed of an initializer that has none.
    """
    kind = module.RandomGenerator

    def create_seed(self: Any, seed: int | None) -> int:
        del self
        return default_seed if seed is None else seed

    kind._create_seed = create_seed
    for method, operation in _OPERATIONS.items():
        setattr(kind, method, _drawing(module, getattr(kind, method), operation))


def _drawing(module: Any, draw: Callable[..., Any], operation: str) -> Callable[..., Any]:
    """Returns a method that draws numbers by an operation with a state."""
    signature = inspect.signature(draw)

    @functools.wraps(draw)
    def draw_by_operation(self: Any, *args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = {k: v for k, v in bound.arguments.items() if k not in ("self", "nonce")}
        self._maybe_init()
        if self._rng_type != self.RNG_STATELESS or bound.arguments["nonce"]:
            return draw(self, *args, **kwargs)
        arguments["dtype"] = arguments["dtype"] or module.floatx()
        return _draw(operation, {**arguments, "seed": self._seed})

    return draw_by_operation


def patch_keras_3(module: Any, default_seed: int) -> None:
    """Patches the initializers of Keras 3.

    Args:
      module: The module keras.src.initializers.random_initializers.
      default_seed: The seed of an initializer that has none.
    """
    functions = {**vars(module.random), "make_default_seed": lambda: default_seed}
    for operation in _OPERATIONS.values():
        functions[operation] = _drawing_in_keras_3(functions[operation], operation)
    module.random = types.SimpleNamespace(**functions)


def _drawing_in_keras_3(draw: Callable[..., Any], operation: str) -> Callable[..., Any]:
    """Returns a function of Keras 3 that draws numbers by an operation with a state."""
    signature = inspect.signature(draw)

    @functools.wraps(draw)
    def draw_by_operation(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if not isinstance(bound.arguments["seed"], int):
            return draw(*args, **kwargs)
        dtype = bound.arguments["dtype"] or draw.__globals__["floatx"]()
        return _draw(operation, {**bound.arguments, "dtype": dtype})

    return draw_by_operation


def _draw(operation: str, arguments: dict[str, Any]) -> Any:
    """Returns the numbers of an operation with a state."""
    import tensorflow as tf

    make = functools.partial(getattr(tf.random, operation), **arguments)
    if not tf.executing_eagerly():
        return make()
    # Eager operations share a state, so that the second one would continue the first.
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        numbers = session.run(make())
    return tf.constant(numbers)
