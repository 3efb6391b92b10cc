"""tf.train's optimizers: those of Keras, with the arguments that changed meaning."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite import arguments, modern_names
from migrate.rewrite.rule import Change, Example, Rule
from migrate.rewrite.source_file import Found, SourceFile


class _Optimizer(NamedTuple):
    """An optimizer of tf.train, and its like in Keras.

    parameters: Its own, in their order.
    renamed: Those that Keras names otherwise; those that it does not have are None.
    defaults: What must be written out, as Keras has another default.
    reason: Why it does not compute the same; "" where it does.
    """

    keras: str
    parameters: tuple[str, ...]
    renamed: dict[str, str | None]
    defaults: dict[str, str]
    reason: str = ""


_PLAIN: dict[str, str | None] = {"use_locking": None, "name": None}
_RATE = "learning_rate"
_OPTIMIZERS = {
    "AdadeltaOptimizer": _Optimizer(
        "Adadelta", (_RATE, "rho", "epsilon", *_PLAIN), _PLAIN, {"epsilon": "1e-08"}
    ),
    "AdagradOptimizer": _Optimizer(
        "Adagrad",
        (_RATE, "initial_accumulator_value", *_PLAIN),
        _PLAIN,
        {"initial_accumulator_value": "0.1", "epsilon": "0.0"},
    ),
    "AdamOptimizer": _Optimizer(
        "Adam",
        (_RATE, "beta1", "beta2", "epsilon", *_PLAIN),
        {**_PLAIN, "beta1": "beta_1", "beta2": "beta_2"},
        {"epsilon": "1e-08"},
    ),
    "GradientDescentOptimizer": _Optimizer("SGD", (_RATE, *_PLAIN), _PLAIN, {}),
    "MomentumOptimizer": _Optimizer(
        "SGD",
        (_RATE, "momentum", *_PLAIN, "use_nesterov"),
        {**_PLAIN, "use_nesterov": "nesterov"},
        {},
        "Keras accumulates with the rate in it: under a rate that changes it is not the same",
    ),
    "RMSPropOptimizer": _Optimizer(
        "RMSprop",
        (_RATE, "decay", "momentum", "epsilon", *_PLAIN, "centered"),
        {**_PLAIN, "decay": "rho"},
        {"epsilon": "1e-10"},
        "its mean of squares began with 1, that of Keras begins with 0",
    ),
}
_GRAPH = "Keras' optimizers need the behavior of TensorFlow 2, which this program does not have"
_BRIDGED = "the optimizer of a model_fn stays: migrate.bridge makes the Keras one of it"
_USE = "minimize and apply_gradients of Keras' optimizers take other arguments"


def _find(file: SourceFile) -> Iterator[Change]:
    for found in file.found(RULE):
        optimizer = _OPTIMIZERS[found.name.rpartition(".")[2]]
        if found.call is None:
            continue
        given = arguments.bound(found.call, optimizer.parameters)
        if given is None:
            yield file.suggested(found.call, "it is given arguments by * or **")
            continue
        if _is_in_model_fn(file, found.call):
            yield file.suggested(found.call, _BRIDGED)
            continue
        keras, imports = modern_names.keras(file)
        reason = _reason(file, found, optimizer, given)
        text = f"{keras}.optimizers.{optimizer.keras}({_arguments(file, optimizer, given)})"
        yield file.replaced(found.call, text, imports, reason)


def _is_in_model_fn(file: SourceFile, node: ast.AST | None) -> bool:
    while node is not None:
        node = file.parent(node)
        if isinstance(node, ast.FunctionDef):
            named = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
            if {"features", "labels", "mode"} <= named:
                return True
    return False


def _arguments(file: SourceFile, optimizer: _Optimizer, given: dict[str, ast.expr]) -> str:
    parts = {}
    for name, value in given.items():
        new = optimizer.renamed.get(name, name)
        if new is not None:
            parts[new] = file.segment(value)
    if _RATE not in given:
        parts = {_RATE: "0.001", **parts}
    parts.update({name: text for name, text in optimizer.defaults.items() if name not in parts})
    return ", ".join(f"{name}={text}" for name, text in parts.items())


def _reason(
    file: SourceFile, found: Found, optimizer: _Optimizer, given: dict[str, ast.expr]
) -> str:
    """Why it may not compute the same; "" where a Keras model alone uses it."""
    if file.context.api == "v1" or any(
        found.name.endswith((".disable_v2_behavior", ".disable_eager_execution"))
        for found in file.names()
    ):
        return _GRAPH
    is_number = modern_names.is_constant(given.get(_RATE))
    if optimizer.reason and not ("momentum" in given and optimizer.keras == "SGD" and is_number):
        return optimizer.reason
    parent = file.parent(found.call) if found.call is not None else None
    compiled = parent if isinstance(parent, ast.Call) else None
    if isinstance(parent, ast.keyword) and parent.arg == "optimizer":
        owner = file.parent(parent)
        compiled = owner if isinstance(owner, ast.Call) else None
    function = compiled.func if compiled is not None else None
    is_compiled = isinstance(function, ast.Attribute) and function.attr == "compile"
    return "" if is_compiled else _USE


_MODEL = (
    "import numpy as np\n"
    "import tensorflow as tf\n"
    "import tf_keras\n"
    "def trained(build):\n"
    "    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer='ones')])\n"
    "    build(model)\n"
    "    inputs = tf.cast(np.arange(12).reshape(4, 3) / 10, tf.float32)\n"
    "    model.fit(inputs, inputs[:, :1], epochs=5, verbose=0, shuffle=False)\n"
    "    return model.get_weights()\n"
)

RULE = Rule(
    __name__,
    _find,
    message="Optimizers are those of Keras, with the defaults of tf.train written out.",
    source="https://www.tensorflow.org/guide/migrate/metrics_optimizers",
    symbols=tuple(f"tf.train.{name}" for name in _OPTIMIZERS),
    recipe="metrics_and_optimizers",
    examples=(
        Example(
            _MODEL + "t = tf.compat.v1.train\n"
            "x = trained(lambda m: m.compile(t.AdamOptimizer(0.1, beta1=0.8), 'mse'))\n"
            "y = trained(lambda m: m.compile(optimizer=t.AdagradOptimizer(0.1), loss='mse'))\n"
            "z = trained(lambda m: m.compile(t.MomentumOptimizer(\n"
            "    0.1, 0.9, use_nesterov=False), 'mse'))\n",
            _MODEL + "t = tf.compat.v1.train\n"
            "x = trained(lambda m: m.compile(tf_keras.optimizers.Adam("
            "learning_rate=0.1, beta_1=0.8, epsilon=1e-08), 'mse'))\n"
            "y = trained(lambda m: m.compile(optimizer=tf_keras.optimizers.Adagrad("
            "learning_rate=0.1, initial_accumulator_value=0.1, epsilon=0.0), loss='mse'))\n"
            "z = trained(lambda m: m.compile(tf_keras.optimizers.SGD("
            "learning_rate=0.1, momentum=0.9, nesterov=False), 'mse'))\n",
            api="v2",
        ),
        Example(
            _MODEL + "optimizer = tf.compat.v1.train.AdadeltaOptimizer(0.1)\n"
            "x = trained(lambda m: m.compile(optimizer, 'mse'))\n",
            _MODEL + "optimizer = tf_keras.optimizers.Adadelta(learning_rate=0.1, epsilon=1e-08)\n"
            "x = trained(lambda m: m.compile(optimizer, 'mse'))\n",
            unsafe=True,
            api="v2",
        ),
    ),
    unchanged=(
        "import tensorflow.compat.v1 as tf\n"
        "def model_fn(features, labels, mode):\n"
        "    return tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(features))\n"
        "x = callable(model_fn)\n",
        "import tensorflow.compat.v1 as tf\n"
        "step = tf.train.AdamOptimizer(0.1).minimize\nx = callable(step)\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(m, **k):\n    m.compile(tf.train.AdamOptimizer(**k), 'mse')\nx = 1\n",
        "import tensorflow.compat.v1 as tf\n"
        "def f(m):\n    m.compile(tf.train.RMSPropOptimizer(0.1), 'mse')\nx = 1\n",
    ),
    safe=False,
)
