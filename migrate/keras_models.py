"""Builds the Keras model that a command names: by a function, or by a class.

    build_model = loading.find_function("my_port:Model", "--modern")
    model = keras_models.build(build_model, {"learning_rate": 0.1}, "--modern")
    variables = keras_models.weights(model)

The model is one of tf_keras, or of Keras 3. Errors name the flag and its likely mistake.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from migrate import loading
from modern.process import chosen_keras, cli
from modern.process.chosen_keras import keras

EXPECTED = {
    2: "a tf_keras.Model (with TF_USE_LEGACY_KERAS=1, tf.keras is tf_keras). Add --keras=3 for a "
    "model of Keras 3.",
    3: "a keras.Model of Keras 3 (import keras, not tf.keras). Leave out --keras=3 for a model of "
    "tf_keras.",
}


def build(
    builder: Callable[..., Any],
    params: Any,
    flag: str,
) -> keras.Model:
    """Builds the model. Compiles it if its class creates its own optimizer.

    Args:
      builder: A function that returns a model, or a class of models. It may take the arguments of
        `loading.arguments`.
      params: Parameters of the model.
      flag: The flag that names `builder`, for messages.

    Returns:
      The model. It may not have variables yet.

    Raises:
      cli.UsageError: `builder` cannot be called, fails, or does not return a model.
    """
    if version_of(builder):
        name = getattr(builder, "name", "it")
        raise cli.UsageError(
            f"{flag}: {name} is a model, not a function. Name the class, or a function that "
            "returns a new model each time."
        )
    version = chosen_keras.version()
    arguments = loading.arguments(builder, params, flag)
    try:
        model = builder(**arguments)
        if version_of(model) == version and _makes_optimizer(model):
            model.compile(model.make_optimizer())
    except Exception as error:
        hint = "" if params or not arguments else " (no --params was given)"
        raise cli.UsageError(
            f"{flag}: building the model failed: {type(error).__name__}: {error}{hint}"
        ) from error
    if version_of(model) != version:
        raise cli.UsageError(
            f"{flag}: returned {type(model).__module__}.{type(model).__name__}, but it must return "
            + EXPECTED[version]
        )
    return model


def version_of(model: Any) -> int | None:
    """Returns 2 for a model of tf_keras, 3 for one of Keras 3, and None for another object."""
    for version, name in ((2, "tf_keras"), (3, "keras")):
        module = sys.modules.get(name)  # A model exists only if its Keras is imported.
        if module is not None and isinstance(model, module.Model):
            return version
    return None


def module_of(model: keras.Model) -> Any:
    """Returns the module of a model's Keras: tf_keras or keras."""
    return sys.modules["tf_keras" if version_of(model) == 2 else "keras"]


def call_once(model: keras.Model, features: Any, flag: str) -> None:
    """Calls a model once, which creates its variables.

    Args:
      model: The model.
      features: Features for the call.
      flag: The flag that names the model, for the message.

    Raises:
      cli.UsageError: The model does not take the features.
    """
    try:
        model(features, training=False)
    except Exception as error:
        raise cli.UsageError(
            f"{flag}: the model does not take the features of the input_fn: "
            f"{type(error).__name__}: {error}"
        ) from error


def metric_attributes(model: keras.Model) -> set[str]:
    """Returns the names of the attributes that hold metrics, in the model or its layers."""
    attributes = set()
    metric = module_of(model).metrics.Metric
    for part in parts(model):
        for name, value in vars(part).items():
            leaves = [*_leaves(value)]
            if leaves and all(isinstance(leaf, metric) for leaf in leaves):
                attributes.add(name)
    return attributes


def parts(model: keras.Model) -> list[Any]:
    """Returns the model, and all layers and metrics in it. Keras 3 has no `submodules`."""
    if version_of(model) == 2:
        return [model, *model.submodules]
    kinds = (module_of(model).layers.Layer, module_of(model).metrics.Metric)
    found = {id(model): model}
    waiting = [model]
    while waiting:
        for value in vars(waiting.pop()).values():
            for leaf in _leaves(value):
                if isinstance(leaf, kinds) and id(leaf) not in found:
                    found[id(leaf)] = leaf
                    waiting.append(leaf)
    return [*found.values()]


def _leaves(value: Any) -> Iterator[Any]:
    """Yields the values in dicts and lists."""
    if isinstance(value, dict):
        value = [*value.values()]
    if not isinstance(value, (list, tuple)):
        yield value
        return
    for part in value:
        yield from _leaves(part)


def weights(model: keras.Model) -> list[Any]:
    """Returns the variables of the model without those of its metrics and loss trackers."""
    metric = module_of(model).metrics.Metric
    metrics = [part for part in parts(model) if isinstance(part, metric)]
    of_metrics = {
        id(variable) for metric in (*metrics, *model.metrics) for variable in metric.variables
    }
    return [weight for weight in model.weights if id(weight) not in of_metrics]


def _makes_optimizer(model: keras.Model) -> bool:
    """Returns true for an uncompiled model with `make_optimizer`, as rewritten models have it."""
    return getattr(model, "optimizer", None) is None and callable(
        getattr(model, "make_optimizer", None)
    )
