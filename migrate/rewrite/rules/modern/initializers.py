"""Replaces the initializers of tf and contrib by tf_keras.initializers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

_XAVIER = ("uniform", "seed", "dtype")
# The Keras class, the parameters, and the defaults of v1 to write out where those of Keras differ.
_KERAS: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "constant_initializer": ("Constant", ("value", "dtype", "verify_shape"), {}),
    "glorot_normal_initializer": ("GlorotNormal", ("seed", "dtype"), {}),
    "glorot_uniform_initializer": ("GlorotUniform", ("seed", "dtype"), {}),
    "ones_initializer": ("Ones", ("dtype",), {}),
    "orthogonal_initializer": ("Orthogonal", ("gain", "seed", "dtype"), {}),
    "random_normal_initializer": (
        "RandomNormal",
        ("mean", "stddev", "seed", "dtype"),
        {"stddev": "1.0"},
    ),
    "truncated_normal_initializer": (
        "TruncatedNormal",
        ("mean", "stddev", "seed", "dtype"),
        {"stddev": "1.0"},
    ),
    "zeros_initializer": ("Zeros", ("dtype",), {}),
}
_CONTRIB = tuple(
    f"tf.contrib.{module}.{name}"
    for module in ("layers", "slim")
    for name in ("xavier_initializer", "xavier_initializer_conv2d")
)
_RANDOM = "Keras draws other numbers for the same seed, from the same distribution"
_UNSEEDED = (
    "Keras ignores tf_random_seed and set_random_seed, so the initial weights differ in each run"
)
_PARTS = "for a partitioned variable, Keras uses the shape of a part instead of the whole"
_SHARED = (
    "it may initialize several variables, and a Keras initializer gives them equal values: create "
    "one for each"
)
# Initializers that draw no random numbers, so that several variables may share them.
_FIXED = frozenset(("Constant", "Ones", "Zeros"))
# Functions that initialize one variable with their initializer.
_ONE_VARIABLE = (
    *("tf.contrib.layers.conv", "tf.contrib.layers.fully_connected", "tf.contrib.layers.linear"),
    *("tf.contrib.slim.conv", "tf.contrib.slim.fully_connected", "tf.get_variable"),
    *("tf.keras.layers.", "tf.layers.", "tf_keras.layers."),
)
_SEVERAL_VARIABLES = ("GRU", "LSTM", "RNN", "separable", "Separable")
_SCOPES_AND_LOOPS = (
    *(ast.AsyncFunctionDef, ast.ClassDef, ast.DictComp, ast.For, ast.FunctionDef),
    *(ast.GeneratorExp, ast.Lambda, ast.ListComp, ast.SetComp, ast.While),
)
_SHORT = (
    "a list that is shorter than the variable was extended with its last value, but Keras rejects "
    "it"
)


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        call = match.call
        if call is None:
            continue
        name = match.name.rpartition(".")[2]
        cls, parameters, defaults = _KERAS.get(name, ("GlorotUniform", _XAVIER, {}))
        args = arguments.bind(call, parameters)
        if args is None or "dtype" in args or "verify_shape" in args:
            yield file.suggestion(call, f"{name} has arguments that Keras' {cls} does not support")
            continue
        if name.startswith("xavier"):
            uniform = args.pop("uniform", None)
            if uniform is not None and not modern_names.is_constant(uniform, True, False):
                yield file.suggestion(call, "its argument `uniform` is not a constant")
                continue
            if modern_names.is_constant(uniform, False):
                # Like Keras, contrib truncated a wider normal at two standard deviations.
                cls = "GlorotNormal"
        if cls not in _FIXED and not _initializes_one_variable(file, call):
            yield file.suggestion(call, _SHARED)
            continue
        keras, imports = modern_names.keras(file)
        parts = {key: file.segment(value) for key, value in args.items()}
        parts.update({key: text for key, text in defaults.items() if key not in parts})
        text = ", ".join(f"{key}={value}" for key, value in parts.items())
        unsafe = "; ".join(_risks(file, cls, args))
        yield file.replacement(call, f"{keras}.initializers.{cls}({text})", imports, unsafe)


def _risks(file: SourceFile, cls: str, args: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yields the reasons why an initializer of Keras may give other values."""
    if "seed" in args:
        yield _RANDOM
    elif cls not in _FIXED and modern_names.problem_of_seeds(file):
        yield _UNSEEDED
    if cls.startswith("Glorot") and "partitioner" in file.text:
        yield _PARTS
    if "value" in args and not _is_number(args["value"]):
        yield _SHORT


def _initializes_one_variable(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an initializer certainly initializes only one variable."""
    uses = bindings.uses_of_value(file, node)
    if uses is not None:
        # A use in an inner loop or function may initialize several variables.
        is_single_use = len(uses) == 1 and _scopes(file, uses[0]) == _scopes(file, node)
        return is_single_use and _initializes_one_variable(file, uses[0])
    parent = file.parent(node)
    call = file.parent(parent) if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call):
        return False
    if call.func is node:  # The program calls the initializer itself.
        return True
    name = file.name_of(call.func) or ""
    return name.startswith(_ONE_VARIABLE) and not any(kind in name for kind in _SEVERAL_VARIABLES)


def _scopes(file: SourceFile, node: ast.AST | None) -> list[ast.AST]:
    """Returns the loops, functions and classes around a node."""
    scopes: list[ast.AST] = []
    while node is not None:
        node = file.parent(node)
        if isinstance(node, _SCOPES_AND_LOOPS):
            scopes.append(node)
    return scopes


def _is_number(node: ast.expr) -> bool:
    operand = node.operand if isinstance(node, ast.UnaryOp) else node
    return modern_names.is_constant(operand)


RULE = Rule(
    __name__,
    _find,
    message="Keras initializers replace those of TensorFlow 1, with its defaults written out.",
    source="https://www.tensorflow.org/guide/migrate/migrating_feature_columns",
    symbols=(*(f"tf.{name}" for name in _KERAS), *_CONTRIB),
    recipe="layers_and_losses",
)
