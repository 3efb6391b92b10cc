"""Writes the Keras optimizers that take the same steps as those of canned Estimators.

    text = keras_text(reader, node, keras, is_v1=False, rate="0.2")

The v2 Estimators trained with tf.keras.optimizers.legacy, so the new code uses these classes. Their
slots match as well.
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis.dataflow import Env, Reader, UnknownValue
from migrate.rewrite.engine import arguments

_LEGACY = frozenset(("Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSprop", "SGD"))
# By the name in canned Estimators: the Keras class, and the arguments that differ in v1.
_NAMED = {
    "Adagrad": ("Adagrad", ", epsilon=0.0"),
    "Adam": ("Adam", ", epsilon=1e-08"),
    "Ftrl": ("Ftrl", ""),
    "RMSProp": ("RMSprop", ""),
    "SGD": ("SGD", ""),
}
_RATE = "learning_rate"
_DROPPED = ("use_locking", "name")
# By the class in tf.train: the Keras class, the parameters, and defaults to write out.
_TRAIN = {
    "AdagradOptimizer": (
        "Adagrad",
        (_RATE, "initial_accumulator_value", *_DROPPED),
        {"epsilon": "0.0"},
    ),
    "AdamOptimizer": (
        "Adam",
        (_RATE, "beta1", "beta2", "epsilon", *_DROPPED),
        {_RATE: "0.001", "epsilon": "1e-08"},
    ),
    "FtrlOptimizer": (
        "Ftrl",
        (
            _RATE,
            "learning_rate_power",
            "initial_accumulator_value",
            "l1_regularization_strength",
            "l2_regularization_strength",
        ),
        {},
    ),
    "GradientDescentOptimizer": ("SGD", (_RATE, *_DROPPED), {}),
}
_TAKEN = frozenset(("l2_shrinkage_regularization_strength", "beta", *_DROPPED))
_RENAMED = {"beta1": "beta_1", "beta2": "beta_2"}
_NEW_ONLY = ("ema", "jit_compile", "weight_decay", "is_legacy_optimizer", "use_ema")
_RMSPROP = "Keras' RMSprop starts the mean of squares at 0, and the Estimator's RMSProp at 1"


def keras_text(reader: Reader, node: ast.expr | None, keras: str, is_v1: bool, rate: str) -> str:
    """Returns the expression of an optimizer.

    Args:
      reader: Reader of the file.
      node: Optimizer argument.
      keras: Name of tf_keras in the file.
      is_v1: Whether the Estimator is of the v1 API.
      rate: Learning rate of an optimizer that is named by a string, or "" for its default.

    Raises:
      UnknownValue: No Keras optimizer takes the same steps, or the optimizer cannot be determined.
    """
    legacy = f"{keras}.optimizers.legacy"
    value, env = (node, Env()) if node is None else reader.follow(node, Env())
    if isinstance(value, ast.Lambda) and not value.args.args:
        value = value.body
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return _named(value.value, legacy, is_v1, rate)
    call = value if isinstance(value, ast.Call) else None
    name = (reader.file.name_of(call.func) or "") if call is not None else ""
    if call is None or not name:
        text = ast.unparse(node) if node is not None else ""
        raise UnknownValue(f"the optimizer {text} is unknown")
    for inner in ast.walk(call):
        if (reader.file.name_of(inner) or "").startswith("tf.train.") and inner is not call.func:
            raise UnknownValue(
                f"its learning rate depends on {ast.unparse(inner)}, which Keras does not support"
            )
    if name.startswith("tf.train."):
        return _of_train(reader, call, env, name, legacy)
    kind = name.rpartition(".")[2]
    if not name.startswith(("tf_keras.optimizers.", "tf.keras.optimizers.")) or kind not in _LEGACY:
        raise UnknownValue(f"Keras' legacy optimizers have no counterpart of {name}")
    new = [
        keyword.arg
        for keyword in call.keywords
        if keyword.arg is None or keyword.arg.startswith(_NEW_ONLY)
    ]
    if new and ".legacy." not in name:
        raise UnknownValue(f"canned Estimators do not support {new[0] or '**'} of {name}")
    parts = [reader.text(expression, env) for expression in call.args]
    parts += [f"{keyword.arg}={reader.text(keyword.value, env)}" for keyword in call.keywords]
    return f"{legacy}.{kind}({', '.join(parts)})"


def _named(name: str, legacy: str, is_v1: bool, rate: str) -> str:
    if name not in _NAMED:
        raise UnknownValue(f"the optimizer {name!r} is unknown")
    if is_v1 and name == "RMSProp":
        raise UnknownValue(_RMSPROP)
    kind, more = _NAMED[name]
    return f"{legacy}.{kind}({rate}{more if is_v1 else ''})"


def _of_train(reader: Reader, call: ast.Call, env: Env, name: str, legacy: str) -> str:
    known = _TRAIN.get(name.rpartition(".")[2])
    if known is None:
        raise UnknownValue(f"no Keras optimizer takes the same steps as {name}")
    kind, parameters, defaults = known
    args = arguments.bind(call, parameters)
    if args is None or set(args) - set(parameters) - _TAKEN:
        raise UnknownValue(f"the arguments of {name} in line {call.lineno} are not supported")
    parts = {
        _RENAMED.get(key, key): reader.text(value, env)
        for key, value in args.items()
        if key not in _DROPPED
    }
    for key, text in defaults.items():
        parts.setdefault(key, text)
    first = [parts.pop(_RATE)] if _RATE in parts else []
    return f"{legacy}.{kind}({', '.join([*first, *(f'{k}={v}' for k, v in parts.items())])})"
