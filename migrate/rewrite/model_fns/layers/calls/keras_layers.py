"""Replaces Keras layers that a model_fn makes and calls at once, as in `Dense(3)(x)`.

    keras_layers.take(maker, statement, call, constructor, "Dense")

`__init__` makes the layer, and its attribute is called in place of the constructor.
"""

from __future__ import annotations

import ast

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import keras_objects
from migrate.rewrite.model_fns.layers import naming
from migrate.rewrite.model_fns.layers.calls import dropout_rates, training_arguments
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker


def take(
    maker: ObjectMaker, statement: ast.stmt, call: ast.Call, constructor: ast.Call, name: str
) -> None:
    """Replaces the constructor in tf_keras.layers.Dense(3)(x) by the attribute of the layer."""
    inference_calls = keras_objects.inference_calls(maker.file, constructor, [call])
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    training = maker.rendered.text(options["training"]) if "training" in options else ""
    training_arguments.check(constructor, name, name == "BatchNormalization", training)
    init_args = arguments_of(constructor)
    if name == "Dropout" and call.args:
        init_args = dropout_rates.with_noise_shape(maker, init_args, call.args[0])
    if name == "Dropout" and training in ("True", "training"):
        for key in {"0", "rate"} & init_args.keys():
            rate = dropout_rates.in_training(maker.scope, init_args[key], unused=0)
            if rate is not None:
                maker.leave_out([init_args[key]])
                init_args[key] = rate
                maker.replace(options["training"], "training")
    attribute = _add(maker, statement, constructor, name, init_args)
    maker.replace(constructor, attribute)
    note_averages(maker, constructor, attribute)
    if inference_calls:
        training_arguments.add_false(maker.rendered, call)


def note_averages(maker: ObjectMaker, constructor: ast.Call, attribute: str) -> None:
    """Notes that the averages of an object never changed, if that is so."""
    name = attribute.removeprefix("self.")
    for i, item in enumerate(maker.items):
        if item.attribute == name and keras_objects.has_idle_averages(maker.file, constructor):
            maker.items[i] = item._replace(updates="layer.updates")


def _add(
    maker: ObjectMaker,
    statement: ast.stmt,
    constructor: ast.Call,
    name: str,
    init_args: dict[str, ast.expr],
) -> str:
    """Adds a Keras layer, whose variables no scope shares. Returns the expression to call."""
    kind = naming.snake(name)
    has_variables = not keras_objects.is_without_variables(name)
    own = ast.unparse(init_args["name"]) if "name" in init_args else f"{kind}()"
    if has_variables:
        entry = maker.scopes.enter_new(constructor, own, is_scoped=False)
    else:
        entry = maker.scopes.enter(constructor, init_args.get("name"), kind)
    maker.makes_variables = maker.makes_variables or has_variables
    use = maker.use(statement, constructor, entry, f"layers.{name}", init_args)
    use = use._replace(has_variables=has_variables)
    earlier = maker.shared.find(use)
    return maker.called(earlier, use.loop) if earlier else maker.add_new(use, kind)


def arguments_of(call: ast.Call) -> dict[str, ast.expr]:
    """Returns the arguments of a call, by position or name."""
    if any(isinstance(value, ast.Starred) for value in call.args):
        raise NotUnderstood(f"a layer in line {call.lineno} is created with *args")
    if any(keyword.arg is None for keyword in call.keywords):
        raise NotUnderstood(f"a layer in line {call.lineno} is created with **kwargs")
    positional = {str(i): value for i, value in enumerate(call.args)}
    return {**positional, **{str(keyword.arg): keyword.value for keyword in call.keywords}}
