"""Functions of TensorFlow, and the code of keras.ops that computes the same with each backend.

>>> FUNCTIONS["expand_dims"].text
'ops.expand_dims({input}, {axis})'

Tests run each pair, with TensorFlow and with JAX. `docs/keras_ops.md` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_INTEGERS = "of integers has another type in keras.ops"
ZEROS = "takes -0.0 and 0.0 to be the same, which keras.ops does not"
_SMALL = "of 8- and 16-bit integers has another type in keras.ops"


class Replacement(NamedTuple):
    """The code that replaces a call.

    Attributes:
      parameters: The parameters that may be positional, the same in tf.compat.v1 and in tf.
      text: The new code, with `ops` for keras.ops. `{axis}` is an argument, `{axis=0}` one with a
        default, `{dtype!}` a type, and `[, {axis}]` is left out without the argument.
      integers: The reason why the results differ for tensors of integers, or "".
      reason: The reason why the results may differ for other tensors, or "".
      literals: Parameters that must be written as numbers, or lists of them.
      is_of_v2: Whether tf.compat.v1 has another function of this name.
      returns_floats: Whether its results are floats, or those of its first argument are.
    """

    parameters: tuple[str, ...]
    text: str
    integers: str = ""
    reason: str = ""
    literals: tuple[str, ...] = ()
    is_of_v2: bool = False
    returns_floats: str = "as its argument"


def _same(names: str, parameters: str, **options: object) -> dict[str, Replacement]:
    """Returns functions of one parameter list: each is `name` or `name:name_in_ops`."""
    functions = {}
    for name in names.split():
        old, _, new = name.partition(":")
        arguments = ", ".join(f"{{{parameter}}}" for parameter in parameters.split())
        text = f"ops.{new or old}({arguments})"
        functions[old] = Replacement(tuple(parameters.split()), text, **options)  # type: ignore[arg-type]
    return functions


def _of(parameters: str, text: str, **options: object) -> Replacement:
    return Replacement(tuple(parameters.split()), text, **options)  # type: ignore[arg-type]


_REDUCED = "input_tensor axis keepdims"


def _reduction(name: str) -> str:
    return f"ops.{name}({{input_tensor}}[, axis={{axis}}][, keepdims={{keepdims}}])"


_FLOATS = {"returns_floats": "always"}
_OTHERS = {"returns_floats": "never"}
_MATH = {
    **_same(
        "acos:arccos acosh:arccosh asin:arcsin asinh:arcsinh atan:arctan atanh:arctanh cos cosh "
        "erf exp expm1 log log1p rsqrt sigmoid sin sinh sqrt tan tanh",
        "x",
        **_FLOATS,
    ),
    **_same("abs ceil floor negative reciprocal sign square", "x"),
    **_same("atan2:arctan2", "y x", **_FLOATS),
    **_same("add maximum minimum multiply pow:power subtract", "x y"),
    **_same("divide_no_nan floordiv:floor_divide floormod:mod", "x y"),
    **_same("equal greater greater_equal less less_equal not_equal", "x y", **_OTHERS),
    **_same("logical_and logical_or logical_xor", "x y", **_OTHERS),
    **_same("is_finite:isfinite is_inf:isinf is_nan:isnan", "x", **_OTHERS),
    "logical_not": _of("x", "ops.logical_not({x})", **_OTHERS),
    "divide": _of("x y", "ops.divide({x}, {y})", integers=_INTEGERS),
    "truediv": _of("x y", "ops.divide({x}, {y})", integers=_INTEGERS),
    "squared_difference": _of("x y", "ops.square(ops.subtract({x}, {y}))"),
    "cumsum": _of("x axis", "ops.cumsum({x}, axis={axis=0})", integers=_SMALL),
    **{
        name: _of(
            "input axis",
            f'ops.cast(ops.{name}({{input}}, axis={{axis=0}}), "int64")',
            reason=ZEROS,
            **_OTHERS,
        )
        for name in ("argmax", "argmin")
    },
    **{f"reduce_{name}": _of(_REDUCED, _reduction(name), **_OTHERS) for name in ("all", "any")},
    **{
        f"reduce_{name}": _of(_REDUCED, _reduction(new), integers=integers)
        for name, new, integers in (
            ("logsumexp", "logsumexp", ""),
            ("max", "max", ""),
            ("mean", "mean", _INTEGERS),
            ("min", "min", ""),
            ("prod", "prod", _SMALL),
            ("std", "std", ""),
            ("sum", "sum", _SMALL),
            ("variance", "var", ""),
        )
    },
}
_NN = {
    **_same("elu relu relu6 selu softsign", "features"),
    "gelu": _of("features approximate", "ops.gelu({features}, approximate={approximate=False})"),
    "leaky_relu": _of("features alpha", "ops.leaky_relu({features}, {alpha=0.2})"),
    "log_softmax": _of("logits axis", "ops.log_softmax({logits}, axis={axis=-1})", **_FLOATS),
    "softmax": _of("logits axis", "ops.softmax({logits}, axis={axis=-1})", **_FLOATS),
    "softplus": _of("features", "ops.softplus({features})", **_FLOATS),
    "silu": _of("features", "ops.silu({features})", **_FLOATS),
    "swish": _of("features", "ops.silu({features})", **_FLOATS),
    "sigmoid": _of("x", "ops.sigmoid({x})", **_FLOATS),
    "tanh": _of("x", "ops.tanh({x})", **_FLOATS),
    "bias_add": _of("value bias", "ops.add({value}, {bias})"),
    "sigmoid_cross_entropy_with_logits": _of(
        "",
        "ops.binary_crossentropy({labels}, {logits}, from_logits=True)",
        **_FLOATS,
    ),
    "softmax_cross_entropy_with_logits": _of(
        "",
        "ops.categorical_crossentropy({labels}, {logits}, from_logits=True)",
        is_of_v2=True,
        **_FLOATS,
    ),
    "sparse_softmax_cross_entropy_with_logits": _of(
        "",
        "ops.sparse_categorical_crossentropy({labels}, {logits}, from_logits=True)",
        **_FLOATS,
    ),
}
_SHAPES = {
    "cast": _of("x dtype", "ops.cast({x}, {dtype!})", returns_floats="by its type"),
    "clip_by_value": _of(
        "t clip_value_min clip_value_max", "ops.clip({t}, {clip_value_min}, {clip_value_max})"
    ),
    "concat": _of("values axis", "ops.concatenate({values}, axis={axis})"),
    "expand_dims": _of("input axis", "ops.expand_dims({input}, {axis})"),
    "gather": _of("params indices", "ops.take({params}, {indices}, axis={axis=0})"),
    "matmul": _of("a b", "ops.matmul({a}, {b})"),
    "one_hot": _of("indices depth", "ops.one_hot({indices}, {depth})", returns_floats="always"),
    "ones_like": _of("input dtype", "ops.ones_like({input|tensor}[, dtype={dtype!}])"),
    "zeros_like": _of("input dtype", "ops.zeros_like({input|tensor}[, dtype={dtype!}])"),
    "repeat": _of("input repeats axis", "ops.repeat({input}, {repeats}[, axis={axis}])"),
    "reshape": _of("tensor shape", "ops.reshape({tensor}, {shape})", literals=("shape",)),
    "split": _of(
        "value num_or_size_splits axis",
        "ops.split({value}, {num_or_size_splits}, axis={axis=0})",
        literals=("num_or_size_splits",),
    ),
    "squeeze": _of("input axis", "ops.squeeze({input}[, axis={axis}])", literals=("axis",)),
    "stack": _of("values axis", "ops.stack({values}, axis={axis=0})"),
    "stop_gradient": _of("input", "ops.stop_gradient({input})"),
    "tile": _of("input multiples", "ops.tile({input}, {multiples})", literals=("multiples",)),
    "transpose": _of("a perm", "ops.transpose({a}[, axes={perm}])"),
    "unstack": _of("value num axis", "ops.unstack({value}, axis={axis=0})"),
    "where": _of("condition x y", "ops.where({condition}, {x}, {y})", is_of_v2=True),
    "einsum": _of("equation x y", "ops.einsum({equation}, {x}, {y})"),
    "tensordot": _of("a b axes", "ops.tensordot({a}, {b}, axes={axes})"),
    "pad": _of("tensor paddings", "ops.pad({tensor}, {paddings})", literals=("paddings",)),
}
# Names of one function in several modules.
_ALIASES = {
    "linalg.matmul": "matmul",
    "math.sigmoid": "sigmoid",
    "math.softplus": "nn.softplus",
    "math.tanh": "tanh",
    "tensordot": "tensordot",
}


def _functions() -> dict[str, Replacement]:
    functions: dict[str, Replacement] = dict(_SHAPES)
    for name, replacement in _MATH.items():
        functions[f"math.{name}"] = replacement
        functions[name] = replacement
    functions |= {f"nn.{name}": replacement for name, replacement in _NN.items()}
    functions |= {alias: functions[name] for alias, name in _ALIASES.items()}
    return functions


# By the name in TensorFlow, without "tf.".
FUNCTIONS: Mapping[str, Replacement] = _functions()


def arguments_of(text: str) -> list[str]:
    """Returns the names of the arguments in the text of a replacement.

    >>> arguments_of("ops.sum({x}[, axis={axis}])")
    ['x', 'axis']
    """
    return [
        name
        for match in re.finditer(r"\{([\w|]+)!?(?:=[^}]*)?\}", text)
        for name in match[1].split("|")
    ]


def types_of(text: str) -> list[str]:
    """Returns the names of the arguments that are types."""
    return re.findall(r"\{(\w+)!", text)


def filled(text: str, arguments: Mapping[str, str], ops: str) -> str | None:
    """Returns the new code, or None if a required argument is missing.

    >>> filled("ops.sum({x}[, axis={axis}])", {"x": "y"}, "keras.ops")
    'keras.ops.sum(y)'

    Args:
      text: The text of a replacement.
      arguments: The text of each argument of the call.
      ops: The name of keras.ops.
    """
    missing: list[str] = []

    def argument(match: re.Match[str]) -> str:
        for name in match[1].split("|"):
            if name in arguments:
                return arguments[name]
        if match[2] is None:
            missing.append(match[1])
        return match[2] or ""

    def optional(match: re.Match[str]) -> str:
        names = arguments_of(match[1])
        return match[1] if any(name in arguments for name in names) else ""

    text = re.sub(r"\[([^\[\]]*)\]", optional, text)
    text = re.sub(r"\bops\.", f"{ops}.", text)
    code = re.sub(r"\{([\w|]+)!?(?:=([^}]*))?\}", argument, text)
    return None if missing else code
