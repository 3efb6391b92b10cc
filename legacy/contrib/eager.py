"""tf.contrib.eager: eager execution as it was before TensorFlow 2.

eager.enable_eager_execution()
if eager.num_gpus(): ...
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from collections.abc import Iterator as _Iterator
from typing import Any

import tensorflow as tf

from legacy.contrib import _graph_and_eager, _missing

tf1 = tf.compat.v1

Checkpoint = tf1.train.Checkpoint
CheckpointableSaver = tf1.train.Checkpoint
EagerTensor = tf.Tensor
GradientTape = tf.GradientTape
defun = tf.function
enable_eager_execution = tf1.enable_eager_execution
enable_remote_eager_execution = tf.config.experimental_connect_to_host
executing_eagerly = in_eager_mode = tf.executing_eagerly
function = tf.function
custom_gradient = tf.custom_gradient
async_clear_error = tf.experimental.async_clear_error
py_func = tf.py_function
run_all_tests_in_graph_and_eager_modes = _graph_and_eager.run_all_in_graph_and_eager_modes
run_test_in_graph_and_eager_modes = _graph_and_eager.run_in_graph_and_eager_modes


class _ResourceVariables(type):
    """Metaclass that creates and recognizes resource variables.

    TensorFlow's own class of resource variables has no public name.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> tf.Variable:
        return tf1.Variable(*args, use_resource=True, **kwargs)

    def __instancecheck__(cls, value: Any) -> bool:
        # A reference variable has a dtype such as float32_ref.
        return isinstance(value, tf.Variable) and not value.dtype.name.endswith("_ref")


class Variable(metaclass=_ResourceVariables):
    """A resource variable in every mode. Takes the arguments of `tf1.Variable`."""


def list_devices() -> list[str]:
    """Returns the names of this process's devices."""
    return [device.name for device in tf.config.list_logical_devices()]


def num_gpus() -> int:
    """Returns the number of GPUs."""
    return len(tf.config.list_logical_devices("GPU"))


def Iterator(dataset: tf.data.Dataset) -> _Iterator[Any]:  # noqa: N802
    """Returns an iterator over a Dataset, in eager mode.

    Args:
      dataset: The Dataset.
    """
    return iter(dataset)


def in_graph_mode() -> bool:
    """Returns whether operations are added to a graph."""
    return not tf.executing_eagerly()


def get_optimizer_variables(optimizer: Any) -> list[tf.Variable]:
    """Returns the variables of an optimizer.

    Args:
      optimizer: An optimizer of `tf1.train`.
    """
    return optimizer.variables()


def implicit_value_and_gradients(
    f: Callable[..., Any],
) -> Callable[..., tuple[Any, list[tuple[Any, tf.Variable]]]]:
    """Returns a function that computes the value of `f` and its gradients.

    Args:
      f: Function of any arguments that returns a loss.

    Returns:
      A function of the same arguments. It returns (value, [(gradient, variable), ...]) for all
      trainable variables that `f` reads.
    """

    def value_and_gradients(*args: Any, **kwargs: Any) -> Any:
        with tf.GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError(
                "Cannot differentiate a function that returns None; did you forget to return a "
                f"value from {getattr(f, '__name__', f)}?"
            )
        variables = tape.watched_variables()
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        return value, list(zip(tape.gradient(value, variables), variables, strict=True))

    return value_and_gradients


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, tf.Variable]]]:
    """Returns a function that computes the gradients of `f`, as [(gradient, variable), ...].

    Args:
      f: As for `implicit_value_and_gradients`.
    """
    compute = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: compute(*args, **kwargs)[1]


def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[int | str] | None = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """Returns a function that computes the value of `f` and its gradients.

    Args:
      f: Function of tensors that returns a tensor.
      params: Indices or names of the arguments to differentiate. None differentiates all.

    Returns:
      A function of the same arguments. It returns (value, gradients). Its argument `dy` is the
      gradient of the value.
    """

    def value_and_gradients(*args: Any, dy: Any = None) -> tuple[Any, list[Any]]:
        names = list(inspect.signature(f).parameters)
        selected_params = range(len(args)) if params is None else params
        indices = [
            names.index(param) if isinstance(param, str) else param for param in selected_params
        ]
        values = [tf.convert_to_tensor(arg) if i in indices else arg for i, arg in enumerate(args)]
        sources = [values[i] for i in indices]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            value = f(*values)
        return value, tape.gradient(value, sources, dy)

    return value_and_gradients


def gradients_function(
    f: Callable[..., Any], params: Sequence[int | str] | None = None
) -> Callable[..., list[Any]]:
    """Returns a function that computes the gradients of `f`.

    Args:
      f: As for `value_and_gradients_function`.
      params: As for `value_and_gradients_function`.
    """
    compute = value_and_gradients_function(f, params)
    return lambda *args, **kwargs: compute(*args, **kwargs)[1]


def __getattr__(name: str) -> Any:
    """Returns `metrics`, which needs legacy Keras, or raises the error for a name left out."""
    if name == "metrics":
        return types.SimpleNamespace(
            Accuracy=tf1.keras.metrics.Accuracy, Mean=tf1.keras.metrics.Mean
        )
    raise _missing.error("eager", name)
