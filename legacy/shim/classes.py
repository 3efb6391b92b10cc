"""Restores behavior of TensorFlow 1 that classes of TensorFlow and Keras have lost.

    from legacy.shim import classes

    undo = classes.restore(tensorflow, "v1")

A float is a dimension again if it is a whole number. Each variable is a `tf.Variable` and has its
`initialized_value`. Layers have the methods that Keras removed. A Keras model does not compare the
shape of its input with the `input_shape` of its first layer, so that a `Flatten` or `Reshape`
accepts any shape. A Keras optimizer computes gradients without a tape. The sessions of a test case
place operations on the CPU by default.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable
from typing import Any

_MISSING = object()


def restore(tensorflow: types.ModuleType, api: str) -> Callable[[], None]:
    """Restores the behavior in this process.

    Args:
      tensorflow: The real module.
      api: The API that the program is written for. For "v2", only removed methods are restored.

    Returns:
      A function that reverts this.
    """
    undo = contextlib.ExitStack()
    keras = tensorflow.compat.v1.keras
    for owner, methods in (
        (keras.layers.Layer, _LAYER_METHODS),
        (keras.Sequential, _SEQUENTIAL_METHODS),
    ):
        for name, method in methods.items():
            if not hasattr(owner, name):
                _replace(undo, owner, name, method)
    if api == "v1":
        _accept_float_dimensions(undo, tensorflow.compat.v1.Dimension)
        _accept_all_variables(undo, tensorflow)
        _accept_any_input_shape(undo, keras)
        _minimize_without_tape(undo, keras.optimizers.Optimizer)
        for name in ("session", "cached_session", "test_session"):
            _place_on_cpu(undo, tensorflow.test.TestCase, name)
    return undo.close


def _replace(undo: contextlib.ExitStack, owner: type, name: str, value: Any) -> None:
    original = vars(owner).get(name, _MISSING)
    setattr(owner, name, value)
    if original is _MISSING:
        undo.callback(delattr, owner, name)
    else:
        undo.callback(setattr, owner, name, original)


def _accept_float_dimensions(undo: contextlib.ExitStack, dimension: type) -> None:
    create = dimension.__init__

    def __init__(self: Any, value: Any) -> None:
        try:
            create(self, value)
        except TypeError:
            create(self, _whole_number(value))

    _replace(undo, dimension, "__init__", __init__)


def _whole_number(value: Any) -> int:
    """Returns a value as a dimension, as TensorFlow 1 did. It also accepted text, such as "5"."""
    number = int(value)
    if not isinstance(value, (str, bytes)) and number != value:
        raise ValueError(f"Ambiguous dimension: {value}")
    return number


def _accept_all_variables(undo: contextlib.ExitStack, tensorflow: types.ModuleType) -> None:
    v1, any_variable = tensorflow.compat.v1.Variable, tensorflow.compat.v2.Variable
    metaclass = type(v1)

    class VariableOfV1(metaclass):
        """Metaclass of `tf.compat.v1.Variable`: any variable is an instance of it."""

        # Not `issubclass(subclass, any_variable)`: that asks all its subclasses, among them `v1`.

        def __instancecheck__(cls, instance: Any) -> bool:
            if cls is v1:
                return any_variable in type(instance).__mro__
            return super().__instancecheck__(instance)

        def __subclasscheck__(cls, subclass: type) -> bool:
            if cls is v1:
                return any_variable in subclass.__mro__
            return super().__subclasscheck__(subclass)

    v1.__class__ = VariableOfV1
    undo.callback(setattr, v1, "__class__", metaclass)
    # The method of other variables, such as those of Keras layers, raises NotImplementedError.
    _replace(undo, any_variable, "initialized_value", v1.initialized_value)


def _accept_any_input_shape(undo: contextlib.ExitStack, keras: types.ModuleType) -> None:
    # The class of functional models, which is not public.
    functional = next(base for base in keras.Sequential.__mro__[1:] if "input_spec" in vars(base))
    input_spec = functional.input_spec
    _replace(undo, functional, "input_spec", property(lambda self: None, input_spec.fset))


def _minimize_without_tape(undo: contextlib.ExitStack, optimizer: type) -> None:
    """Lets a subclass have its own `_compute_gradients(loss, var_list, grad_loss)`."""

    def minimize(
        self: Any,
        loss: Any,
        var_list: Any,
        grad_loss: Any = None,
        name: str | None = None,
        tape: Any = None,
    ) -> Any:
        tape_argument = {} if tape is None else {"tape": tape}
        gradients = self._compute_gradients(
            loss, var_list=var_list, grad_loss=grad_loss, **tape_argument
        )
        return self.apply_gradients(gradients, name=name)

    _replace(undo, optimizer, "minimize", minimize)


def _place_on_cpu(undo: contextlib.ExitStack, test_case: type, name: str) -> None:
    """Restores a method's default `use_gpu=False`. Tests compare devices of operations."""
    method = getattr(test_case, name)

    @functools.wraps(method)
    def session(
        self: Any,
        graph: Any = None,
        config: Any = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Any:
        return method(self, graph, config, use_gpu, force_gpu)

    _replace(undo, test_case, name, session)


def _predict_classes(self: Any, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
    probabilities = self.predict(x, batch_size=batch_size, verbose=verbose)
    if probabilities.shape[-1] > 1:
        return probabilities.argmax(axis=-1)
    return (probabilities > 0.5).astype("int32")


# Removed methods of Keras' base class of layers, and of Sequential.
_LAYER_METHODS: dict[str, Callable[..., Any]] = {
    "apply": lambda self, inputs, *args, **kwargs: self(inputs, *args, **kwargs),
    "get_losses_for": lambda self, inputs: self.losses,
    "get_updates_for": lambda self, inputs: self.updates,
}
_SEQUENTIAL_METHODS: dict[str, Callable[..., Any]] = {
    "predict_classes": _predict_classes,
    "predict_proba": lambda self, x, batch_size=32, verbose=0: self.predict(
        x, batch_size=batch_size, verbose=verbose
    ),
}
