"""Functions of keras.backend of tf_keras, and the code that computes the same in Keras 3.

>>> FUNCTIONS["expand_dims"].text
'ops.expand_dims({x}, {axis=-1})'

The texts are as in `tensor_functions`.
"""

from __future__ import annotations

from collections.abc import Mapping

from migrate.rewrite.keras3.tensor_functions import ZEROS, Replacement

_INTEGERS = "of integers has another type in keras.ops"
_SMALL = "of 8- and 16-bit integers has another type in keras.ops"
_UNARY = (
    *("abs", "cos", "exp", "log", "round", "sigmoid", "sign", "sin", "softplus", "softsign"),
    *("square", "tanh"),
)
_BINARY = (
    *("equal", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum"),
    "not_equal",
)


def _of(parameters: str, text: str, integers: str = "", reason: str = "") -> Replacement:
    return Replacement(tuple(parameters.split()), text, integers, reason)


def _reductions() -> dict[str, Replacement]:
    text = "ops.{}({{x}}[, axis={{axis}}][, keepdims={{keepdims}}])"
    reasons = {"mean": _INTEGERS, "sum": _SMALL, "prod": _SMALL}
    return {
        name: _of("x axis keepdims", text.format(name), reasons.get(name, ""))
        for name in ("all", "any", "max", "mean", "min", "prod", "std", "sum", "var")
    }


# By the name in keras.backend.
FUNCTIONS: Mapping[str, Replacement] = {
    **_reductions(),
    **{name: _of("x", f"ops.{name}({{x}})") for name in _UNARY},
    **{name: _of("x y", f"ops.{name}({{x}}, {{y}})") for name in _BINARY},
    "argmax": _of("x axis", 'ops.cast(ops.argmax({x}, axis={axis=-1}), "int64")', reason=ZEROS),
    "argmin": _of("x axis", 'ops.cast(ops.argmin({x}, axis={axis=-1}), "int64")', reason=ZEROS),
    "binary_crossentropy": _of(
        "target output from_logits",
        "ops.binary_crossentropy({target}, {output}[, from_logits={from_logits}])",
        reason="adds epsilon to probabilities, which keras.ops clips",
    ),
    "cast": _of("x dtype", "ops.cast({x}, {dtype!})"),
    "clip": _of("x min_value max_value", "ops.clip({x}, {min_value}, {max_value})"),
    "concatenate": _of("tensors axis", "ops.concatenate({tensors}, axis={axis=-1})"),
    "dot": _of("x y", "ops.dot({x}, {y})"),
    "elu": _of("x alpha", "ops.elu({x}, {alpha=1.0})"),
    "expand_dims": _of("x axis", "ops.expand_dims({x}, {axis=-1})"),
    "flatten": _of("x", "ops.reshape({x}, (-1,))"),
    "gather": _of("reference indices", "ops.take({reference}, {indices}, axis=0)"),
    "get_value": _of("x", "ops.convert_to_numpy({x})"),
    "int_shape": _of("x", "tuple({x}.shape)"),
    "ndim": _of("x", "len({x}.shape)"),
    "one_hot": _of("indices num_classes", "ops.one_hot({indices}, {num_classes})"),
    "ones_like": _of("x dtype", "ops.ones_like({x}[, dtype={dtype!}])"),
    "permute_dimensions": _of("x pattern", "ops.transpose({x}, axes={pattern})"),
    "pow": _of("x a", "ops.power({x}, {a})"),
    "relu": _of("x", "ops.relu({x})"),
    "repeat_elements": _of("x rep axis", "ops.repeat({x}, {rep}, axis={axis})"),
    "reshape": _of("x shape", "ops.reshape({x}, {shape})"),
    "set_value": _of("x value", "{x}.assign({value})"),
    "shape": _of("x", "ops.shape({x})"),
    "softmax": _of("x axis", "ops.softmax({x}, axis={axis=-1})"),
    "sqrt": _of("x", "ops.sqrt(ops.maximum({x}, 0.0))"),
    "squeeze": _of("x axis", "ops.squeeze({x}, axis={axis})"),
    "stack": _of("x axis", "ops.stack({x}, axis={axis=0})"),
    "stop_gradient": _of("variables", "ops.stop_gradient({variables})"),
    "tile": _of("x n", "ops.tile({x}, {n})"),
    "transpose": _of("x", "ops.transpose({x})"),
    "zeros_like": _of("x dtype", "ops.zeros_like({x}[, dtype={dtype!}])"),
}
