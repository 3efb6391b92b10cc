"""tf.layers: the layers of Keras, called on what was the first argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite import arguments, modern_names
from migrate.rewrite.rule import Change, Example, Rule
from migrate.rewrite.source_file import SourceFile


class _Layer(NamedTuple):
    """A function of tf.layers, and its like in Keras.

    parameters: Its positional parameters behind the input, as far as Keras has them so too.
    called: Those that Keras' layer takes when it is called.
    has_variables: Whether it makes variables, which tf.variable_scope governs.
    """

    keras: str
    parameters: tuple[str, ...]
    called: tuple[str, ...] = ()
    has_variables: bool = False


_POOL = ("pool_size", "strides", "padding", "data_format")
_CONV = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate")
_LAYERS = {
    "average_pooling1d": _Layer("AveragePooling1D", _POOL),
    "average_pooling2d": _Layer("AveragePooling2D", _POOL),
    "average_pooling3d": _Layer("AveragePooling3D", _POOL),
    "batch_normalization": _Layer(
        "BatchNormalization", ("axis", "momentum", "epsilon"), ("training",), True
    ),
    "conv1d": _Layer("Conv1D", _CONV, (), True),
    "conv2d": _Layer("Conv2D", _CONV, (), True),
    "conv3d": _Layer("Conv3D", _CONV, (), True),
    "dense": _Layer("Dense", ("units", "activation", "use_bias"), (), True),
    "dropout": _Layer("Dropout", ("rate", "noise_shape", "seed"), ("training",)),
    "flatten": _Layer("Flatten", ()),
    "max_pooling1d": _Layer("MaxPooling1D", _POOL),
    "max_pooling2d": _Layer("MaxPooling2D", _POOL),
    "max_pooling3d": _Layer("MaxPooling3D", _POOL),
}
_REFUSED = frozenset(("reuse", "_reuse", "_scope", "renorm", "fused", "virtual_batch_size"))
_VARIABLES = (
    "the layer has its variables for itself: tf.variable_scope, the collections of losses and "
    "UPDATE_OPS do not see them"
)


def _find(file: SourceFile) -> Iterator[Change]:
    for found in file.found(RULE):
        name = found.name.rpartition(".")[2]
        layer = _LAYERS[name]
        if found.call is None:
            continue
        reason = _by_hand(name, layer, found.call)
        if reason:
            yield file.suggested(found.call, reason)
            continue
        keras, imports = modern_names.keras(file)
        text = f"{keras}.layers.{layer.keras}{_called(file, layer, found.call)}"
        unsafe = _VARIABLES if layer.has_variables else ""
        yield file.replaced(found.call, text, imports, unsafe)


def _by_hand(name: str, layer: _Layer, call: ast.Call) -> str:
    """Why a call has no like in Keras; "" where it has."""
    given = arguments.bound(call, ("inputs", *layer.parameters))
    if given is None or "inputs" not in given:
        return f"tf.layers.{name} is given more positional arguments than Keras has, or * or **"
    refused = sorted(_REFUSED.intersection(given))
    if refused:
        return f"tf.layers.{name} is given {', '.join(refused)}, which Keras' layers do not have"
    data_format = given.get("data_format")
    if data_format is not None and not isinstance(data_format, ast.Constant):
        return f"the data format of tf.layers.{name} is known when the program runs"
    return ""


def _called(file: SourceFile, layer: _Layer, call: ast.Call) -> str:
    """The arguments of the layer, then those that it is called with."""
    edited = arguments.Arguments(file.segment(call))
    edited.set_function("layer")
    inputs = edited.value("inputs")
    if inputs is None:
        inputs = edited.remove_at(0)
    else:
        edited.remove("inputs")
    given = []
    for name in layer.called:
        value = edited.value(name)
        if value is not None:
            given.append(f", {name}={value}")
            edited.remove(name)
    return f"{edited.code.removeprefix('layer')}({inputs}{''.join(given)})"


RULE = Rule(
    __name__,
    _find,
    message="Layers are those of Keras; one with variables is safe only where nothing else counts "
    "on them.",
    source="https://www.tensorflow.org/guide/migrate/model_mapping",
    symbols=tuple(f"tf.layers.{name}" for name in _LAYERS),
    recipe="layers_and_losses",
    examples=(
        Example(
            "import tensorflow.compat.v1 as tf\n"
            "a = tf.reshape(tf.range(32.), [1, 4, 4, 2])\n"
            "x = tf.layers.flatten(tf.layers.max_pooling2d(\n"
            "    a,  # the images\n"
            "    pool_size=2, strides=2))\n"
            "y = tf.layers.average_pooling2d(inputs=a, pool_size=2, strides=1, padding='same')\n"
            "z = tf.layers.dropout(a, 0.4, training=False)\n",
            "import tensorflow.compat.v1 as tf\n"
            "import tf_keras\n"
            "a = tf.reshape(tf.range(32.), [1, 4, 4, 2])\n"
            "# the images\n"
            "x = tf_keras.layers.Flatten()(tf_keras.layers.MaxPooling2D(\n"
            "    pool_size=2, strides=2)(a))\n"
            "y = tf_keras.layers.AveragePooling2D(pool_size=2, strides=1, padding='same')(a)\n"
            "z = tf_keras.layers.Dropout(0.4)(a, training=False)\n",
        ),
        Example(
            "import tensorflow.compat.v1 as tf\n"
            "a = tf.ones([2, 3])\n"
            "ones = tf.ones_initializer()\n"
            "x = tf.layers.dense(a, 2, activation=tf.nn.relu, kernel_initializer=ones)\n"
            "y = tf.layers.batch_normalization(a * 3, momentum=0.9, training=False)\n"
            "z = tf.layers.conv2d(tf.ones([1, 3, 3, 1]), 1, 2, kernel_initializer=ones, "
            "name='first')\n",
            "import tensorflow.compat.v1 as tf\n"
            "import tf_keras\n"
            "a = tf.ones([2, 3])\n"
            "ones = tf.ones_initializer()\n"
            "x = tf_keras.layers.Dense(2, activation=tf.nn.relu, kernel_initializer=ones)(a)\n"
            "y = tf_keras.layers.BatchNormalization(momentum=0.9)(a * 3, training=False)\n"
            "z = tf_keras.layers.Conv2D(1, 2, kernel_initializer=ones, "
            "name='first')(tf.ones([1, 3, 3, 1]))\n",
            unsafe=True,
        ),
    ),
    unchanged=(
        "import tensorflow.compat.v1 as tf\n"
        "x = tf.layers.flatten(tf.ones([2, 3]), *[]) is not None\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(a):\n    return tf.layers.dense(a, 3, reuse=True)\nx = 1\n",
        "import tf_keras\nx = tf_keras.layers.Flatten() is not None\n",
    ),
)
