"""Maps calls of tf.contrib.layers and slim to Keras layers, with the old defaults written out.

layer = read("tf.contrib.layers.fully_connected", call)
layer.keras, layer.arguments, layer.options
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.names import modern_names

_ENDS = (
    *("normalizer_fn", "normalizer_params", "weights_initializer", "weights_regularizer"),
    *("biases_initializer", "biases_regularizer", "reuse", "variables_collections"),
    *("outputs_collections", "trainable", "scope"),
)
_LAST = ("trainable", "scope", "reuse")
_POOL = (
    "inputs",
    "kernel_size",
    "stride",
    "padding",
    "data_format",
    "outputs_collections",
    "scope",
)
_CONV = (
    *("inputs", "num_outputs", "kernel_size", "stride", "padding", "data_format", "rate"),
    *("activation_fn", *_ENDS),
)
_BATCH_NORM = (
    *("inputs", "decay", "center", "scale", "epsilon", "activation_fn", "param_initializers"),
    *("param_regularizers", "updates_collections", "is_training", "reuse"),
    *("variables_collections", "outputs_collections", "trainable", "batch_weights", "fused"),
    *("data_format", "zero_debias_moving_mean", "scope", "renorm", "renorm_clipping"),
    *("renorm_decay", "adjustment"),
)
_LAYER_NORM = (
    *("inputs", "center", "scale", "activation_fn", "reuse", "variables_collections"),
    *("outputs_collections", "trainable", "begin_norm_axis", "begin_params_axis", "scope"),
)


class _Kind(NamedTuple):
    """A layer of tf.contrib.layers, and its Keras counterpart.

    Attributes:
      keras: Class of the Keras layer, or of a layer of `porting`.
      parameters: Parameters of the function, in order.
      names: Names of the same parameters in Keras.
      defaults: Keras arguments that replace the defaults of the function.
    """

    keras: str
    parameters: tuple[str, ...]
    names: dict[str, str]
    defaults: dict[str, str]


_WEIGHTS = {
    "activation_fn": "activation",
    "biases_regularizer": "bias_regularizer",
    "num_outputs": "units",
    "trainable": "trainable",
    "weights_initializer": "kernel_initializer",
    "weights_regularizer": "kernel_regularizer",
}
_WINDOW = {"kernel_size": "pool_size", "padding": "padding", "stride": "strides"}
_KINDS = {
    "alpha_dropout": _Kind(
        "AlphaDropout",
        ("x", "keep_prob", "noise_shape", "seed", "name"),
        {"noise_shape": "noise_shape", "seed": "seed"},
        {},
    ),
    "avg_pool2d": _Kind("AveragePooling2D", _POOL, _WINDOW, {"strides": "2"}),
    "batch_norm": _Kind(
        "BatchNormalization",
        _BATCH_NORM,
        {name: name for name in ("center", "epsilon", "scale", "trainable")}
        | {"decay": "momentum"},
        {"momentum": "0.999", "scale": "False", "epsilon": "0.001"},
    ),
    "bow_encoder": _Kind(
        "porting.BagOfWords",
        (
            *("inputs", "vocab_size", "embed_dim", "sparse_lookup", "initializer"),
            *("regularizer", *_LAST),
        ),
        {
            **{name: name for name in ("embed_dim", "sparse_lookup", "trainable", "vocab_size")},
            "initializer": "embeddings_initializer",
            "regularizer": "embeddings_regularizer",
        },
        {},
    ),
    "conv2d": _Kind(
        "Conv2D",
        _CONV,
        {
            **_WEIGHTS,
            "num_outputs": "filters",
            "kernel_size": "kernel_size",
            "padding": "padding",
            "rate": "dilation_rate",
            "stride": "strides",
        },
        {"padding": '"same"', "activation": '"relu"'},
    ),
    "dropout": _Kind(
        "Dropout",
        ("inputs", "keep_prob", "noise_shape", "is_training", "outputs_collections", "scope"),
        {"noise_shape": "noise_shape", "seed": "seed"},
        {},
    ),
    "embed_sequence": _Kind(
        "Embedding",
        ("inputs", "vocab_size", "embed_dim", "unique", "initializer", "regularizer", *_LAST),
        {
            "embed_dim": "output_dim",
            "initializer": "embeddings_initializer",
            "regularizer": "embeddings_regularizer",
            "trainable": "trainable",
            "vocab_size": "input_dim",
        },
        {"embeddings_initializer": '"glorot_uniform"'},
    ),
    "flatten": _Kind("Flatten", ("inputs", "outputs_collections", "scope"), {}, {}),
    "fully_connected": _Kind(
        "Dense",
        ("inputs", "num_outputs", "activation_fn", *_ENDS),
        _WEIGHTS,
        {"activation": '"relu"'},
    ),
    "layer_norm": _Kind(
        "LayerNormalization",
        _LAYER_NORM,
        {name: name for name in ("center", "scale", "trainable")},
        {"epsilon": "1e-12"},
    ),
    "max_pool2d": _Kind("MaxPooling2D", _POOL, _WINDOW, {"strides": "2"}),
}
_ALIASES = {"convolution2d": "conv2d", "linear": "fully_connected", "relu": "fully_connected"}
_ALPHA = "tf.contrib.nn.alpha_dropout"
SOFTMAX = ("tf.contrib.layers.softmax", "tf.contrib.slim.softmax")
NAMES = (_ALPHA, *(f"tf.contrib.layers.{name}" for name in (*_KINDS, *_ALIASES)))
# Default scopes of layers, where they differ from the name of the function.
_SCOPES = {
    "batch_norm": "BatchNorm",
    "conv2d": "Conv",
    "embed_sequence": "EmbedSequence",
    "layer_norm": "LayerNorm",
}
_KERNELS = ("Conv2D", "Dense")
_WITH_MODE = ("AlphaDropout", "BatchNormalization", "Dropout")
_LEFT_OUT = (
    "biases_initializer",
    "inputs",
    "is_training",
    "keep_prob",
    "name",
    "scope",
)


class ContribLayer(NamedTuple):
    """A call of tf.contrib.layers as a Keras layer.

    Attributes:
      keras: Class of the layer, such as "Dense" or "porting.BagOfWords".
      arguments: Arguments of the constructor from the call, by their names in Keras.
      options: Other arguments of the constructor, as text.
      inputs: Input of the layer.
      training: Training argument of the layer, or None if it takes none. "True" by default.
      name: Scope of the layer, or None.
      keep_prob: Probability to keep a value, if it is not a constant. None for other layers.
    """

    keras: str
    arguments: dict[str, ast.expr]
    options: list[str]
    inputs: ast.expr
    training: ast.expr | str | None
    name: ast.expr | None
    keep_prob: ast.expr | None = None


def read(name: str, call: ast.Call) -> ContribLayer | None:
    """Returns the Keras counterpart of a call. None if the call is not a known layer.

    Args:
      name: Public name of the called function.
      call: The call.

    Raises:
      NotUnderstood: The call has arguments that Keras does not have.
    """
    if not is_layer(name):
        return None
    last = name.rpartition(".")[2]
    kind = _KINDS[_ALIASES.get(last, last)]
    args = arguments.bind(call, kind.parameters)
    for key in ("ids", "x"):
        if args is not None and key in args:
            args["inputs"] = args.pop(key)
    if args is None:
        raise NotUnderstood(f"{name} in line {call.lineno} is called with *args or **kwargs")
    if "inputs" not in args:
        raise NotUnderstood(f"{name} in line {call.lineno} lacks its inputs")
    args = _without_defaults(args, name, call.lineno)
    if args.get("scope") is not None:
        args.pop("reuse", None)  # The scope tells which variables are reused.
    none_keys = {key for key, value in args.items() if modern_names.is_constant(value, None)}
    others = set(args) - none_keys - {*kind.names, *_LEFT_OUT}
    if others:
        raise NotUnderstood(
            f"the argument {sorted(others)[0]} of {name} in line {call.lineno} is not supported"
        )
    layer_arguments = {kind.names[key]: value for key, value in args.items() if key in kind.names}
    layer_arguments = {
        key: value
        for key, value in layer_arguments.items()
        if not modern_names.is_constant(value, None)
    }
    none_names = {kind.names[key] for key in none_keys if key in kind.names}
    options = [
        f"{k}={v}"
        for k, v in kind.defaults.items()
        if k not in layer_arguments and k not in none_names
    ]
    options = [
        option for option in options if last != "linear" or not option.startswith("activation=")
    ]
    if kind.keras in _KERNELS and "biases_initializer" in args:
        if "biases_initializer" in none_keys:
            options.append("use_bias=False")
        else:
            layer_arguments["bias_initializer"] = args["biases_initializer"]
    keep_prob = None
    if "keep_prob" in kind.parameters:
        rate = _rate(args.get("keep_prob"))
        keep_prob = args.get("keep_prob") if not rate else None
        options[:0] = [f"rate={rate}"] if rate else []
    training = args.get("is_training", "True") if kind.keras in _WITH_MODE else None
    return ContribLayer(
        kind.keras, layer_arguments, options, args["inputs"], training, args.get("scope"), keep_prob
    )


def is_layer(name: str) -> bool:
    """Says whether a public name is a function of tf.contrib that makes a layer."""
    prefix, _, last = name.rpartition(".")
    return (
        name == _ALPHA
        or prefix in ("tf.contrib.layers", "tf.contrib.slim")
        and (last in _KINDS or last in _ALIASES)
    )


def _without_defaults(args: dict[str, ast.expr], name: str, line: int) -> dict[str, ast.expr]:
    """Returns the arguments of a normalization without those that Keras layers do not need.

    Raises:
      NotUnderstood: It normalizes other axes than Keras.
    """
    args = dict(args)
    if name.endswith(".batch_norm"):
        updates = args.get("updates_collections")
        if updates is not None and ast.unparse(updates).endswith("GraphKeys.UPDATE_OPS"):
            del args["updates_collections"]
        args.pop("fused", None)  # Both ways compute the same.
    if name.endswith(".layer_norm"):
        axis, other = args.pop("begin_norm_axis", None), args.pop("begin_params_axis", None)
        is_last = axis is not None and ast.unparse(axis) == "-1"
        if not is_last or (other is not None and ast.unparse(other) != "-1"):
            raise NotUnderstood(f"{name} in line {line} may normalize more axes than the last")
    return args


def default_name(name: str) -> str:
    """Returns the name of a layer without a scope.

    Args:
      name: Public name of the function that makes the layer.
    """
    last = name.rpartition(".")[2]
    last = _ALIASES.get(last, last)
    return _SCOPES.get(last, last)


def _rate(keep_prob: ast.expr | None) -> str:
    """Returns the dropout rate for a keep_prob, or "" if it is not a constant."""
    if keep_prob is None:
        return "0.5"
    if isinstance(keep_prob, ast.Constant) and isinstance(keep_prob.value, (int, float)):
        return repr(round(1 - keep_prob.value, 12))
    return ""
