"""Reads the variables of a model_fn that are made from an initial value.

    variable = read(call, "tf.Variable")
    variable.arguments, variable.name

`tf.Variable(value)` and `tf.get_variable("w", initializer=value)` take their shape from the value.
`__init__` makes them with `tf.Variable`, and Keras tracks them as weights.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns import NotUnderstood

_PARAMETERS = ("initial_value", "trainable")  # TensorFlow 1 and 2 differ after the second.
_OPTIONS = frozenset(("initial_value", "trainable", "name", "dtype"))
_GET = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")
KIND = "Variable"
_ALWAYS_ON = frozenset(("use_resource",))  # TensorFlow 2 only has resource variables.


class InitialValue(NamedTuple):
    """A variable that is made from an initial value.

    Attributes:
      arguments: Arguments of `tf.Variable` other than the name.
      name: Name from the program, or None.
      kind: Name that TensorFlow numbers if several variables have it. "" if it is not numbered.
      is_scoped: Whether tf.name_scope is part of its name.
    """

    arguments: dict[str, ast.expr]
    name: ast.expr | None
    kind: str
    is_scoped: bool


def read(call: ast.Call, name: str) -> InitialValue | None:
    """Returns a variable that a call makes from an initial value. None for other calls.

    Args:
      call: The call.
      name: Public name of the called function.

    Raises:
      NotUnderstood: The call has arguments that `tf.Variable` does not have.
    """
    if name == "tf.Variable":
        return _of_variable(call)
    return _of_get_variable(call) if name == "tf.get_variable" else None


def _of_variable(call: ast.Call) -> InitialValue:
    args = None if len(call.args) > len(_PARAMETERS) else arguments.bind(call, _PARAMETERS)
    args = None if args is None else estimator_uses.without_none(args)
    if args is None or "initial_value" not in args or set(args) - _OPTIONS - _ALWAYS_ON:
        raise NotUnderstood(f"the variable in line {call.lineno} has unsupported arguments")
    if isinstance(args["initial_value"], ast.Lambda):
        raise NotUnderstood(f"the variable in line {call.lineno} has a function as initial value")
    own_name = args.pop("name", None)
    values = {key: value for key, value in args.items() if key in _OPTIONS}
    values = {"0" if key == "initial_value" else key: value for key, value in values.items()}
    if own_name is None:
        return InitialValue(values, None, KIND, is_scoped=True)
    if isinstance(own_name, ast.Constant) and isinstance(own_name.value, str):
        # TensorFlow numbers equal names of tf.Variable: "weight", "weight_1".
        return InitialValue(values, None, own_name.value, is_scoped=True)
    return InitialValue(values, own_name, "", is_scoped=True)


def _of_get_variable(call: ast.Call) -> InitialValue | None:
    """Reads `tf.get_variable("w", initializer=value)`, which has no shape."""
    args = arguments.bind(call, _GET)
    args = None if args is None else estimator_uses.without_none(args)
    if args is None or "shape" in args or not {"name", "initializer"} <= set(args):
        return None
    if set(args) - {"name", "dtype", "initializer", "reuse", "trainable"} - _ALWAYS_ON:
        raise NotUnderstood(f"the variable in line {call.lineno} has unsupported arguments")
    values = {"0": args["initializer"]}
    values.update((key, args[key]) for key in ("trainable", "dtype") if key in args)
    return InitialValue(values, args["name"], "", is_scoped=False)
