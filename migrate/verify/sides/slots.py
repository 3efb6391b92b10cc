"""Reads optimizer state on both sides, under the names of the variables that it belongs to.

    old = slots.of_graph(graph)              # {("conv/kernel", "momentum"): ...}
    new = slots.of_model(port)

Both sides are read through their own API (`get_slot`), so variable names do not matter.
`migrate.checkpoint.naming.slots` unifies the names of the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from migrate import keras_models
from migrate.checkpoint.naming import slots as slots_lib
from migrate.verify.sides import legacy_model, whole_variables
from migrate.verify.sides import port as port_lib
from modern.process import chosen_keras

tf1 = tf.compat.v1
Key = tuple[str, str]
LegacyOptimizer = tf_keras.optimizers.legacy.Optimizer
# Canonical slot names by the names that `get_slot_names` of v1 optimizers returns.
_V1 = {
    "Momentum": {"momentum": "momentum"},
    "Adam": {"m": "m", "v": "v"},
    "Adagrad": {"accumulator": "accumulator"},
    "ProximalAdagrad": {"accumulator": "accumulator"},
    "RMSProp": {"rms": "rms", "momentum": "momentum", "mg": "mg"},
    "Ftrl": {"accum": "accumulator", "linear": "linear"},
    "Adadelta": {"accum": "accum_grad", "accum_update": "accum_var"},
}


def kind(optimizer: Any) -> str | None:
    """Returns the v1 class of an optimizer, or its base class, without "Optimizer"."""
    names = [cls.__name__.removesuffix("Optimizer") for cls in type(optimizer).__mro__]
    return next((name for name in names if name in _V1), None)


def of_graph(graph: legacy_model.Graph) -> dict[Key, whole_variables.Variable]:
    """Returns the slots of the watched optimizers by (variable, canonical slot)."""
    parts: dict[Key, list[Any]] = {}
    for (_, variable), optimizer in zip(
        graph.applied_gradients.pairs, graph.applied_gradients.pair_optimizers, strict=True
    ):
        names = _V1.get(kind(optimizer) or "", {})
        owner = graph.part_names.get(id(variable))
        if not names or owner is None or not isinstance(optimizer, tf1.train.Optimizer):
            continue
        for name in optimizer.get_slot_names():
            slot = optimizer.get_slot(variable, name) if name in names else None
            if slot is not None:
                parts.setdefault((owner, names[name]), []).append(slot)
    return {
        key: whole_variables.Variable(
            "/".join(key), tuple(group), graph.variables[key[0]].axis, (), group[0].dtype.name
        )
        for key, group in parts.items()
    }


def of_model(port: port_lib.Port) -> dict[Key, tf.Variable]:
    """Returns the slots of the model's optimizers by (weight, canonical slot)."""
    slots: dict[Key, tf.Variable] = {}
    for optimizer in optimizers(port.model):
        raw = _raw(optimizer, port)
        for weight in {weight for weight, _ in raw}:
            names = {slot for owner, slot in raw if owner == weight}
            canonical = slots_lib.keras_slots(type(optimizer).__name__, names) or {}
            for slot, (_, name) in canonical.items():
                slots[weight, name] = raw[weight, slot]
    return slots


def _raw(optimizer: Any, port: port_lib.Port) -> dict[Key, tf.Variable]:
    """Returns slots by (weight, slot), under the optimizer's own slot names."""
    if isinstance(optimizer, LegacyOptimizer):
        slots = {}
        for name, weight in port.names.items():
            for slot in optimizer.get_slot_names():
                try:
                    slots[name, slot] = optimizer.get_slot(weight, slot)
                except KeyError:  # The weight belongs to another optimizer.
                    continue
        return slots
    if port.is_keras3:
        return _of_keras3(optimizer, port)
    # "Adam/m/conv/kernel": the slot's name stands before the weight's.
    slots = {}
    for variable in optimizer.variables:
        full = variable.name.partition(":")[0]
        for name, weight in port.names.items():
            plain = weight.name.partition(":")[0]
            if full.endswith("/" + plain) and tuple(variable.shape) == tuple(weight.shape):
                slot = full.removesuffix("/" + plain).rpartition("/")[2]
                slots[name, slot] = variable
    return slots


def _of_keras3(optimizer: Any, port: port_lib.Port) -> dict[Key, tf.Variable]:
    """Returns slots of Keras 3, whose names begin with their weights: "conv_kernel_momentum"."""
    slots = {}
    owners = {weight.path.replace("/", "_"): name for name, weight in port.weights.items()}
    inner = getattr(optimizer, "inner_optimizer", None)
    inner_ids = {id(variable) for variable in inner.variables} if inner else set()
    for variable in optimizer.variables:
        if id(variable) in inner_ids:
            continue
        last = variable.path.rpartition("/")[2]
        matches = [owner for owner in owners if last.startswith(f"{owner}_")]
        if matches:
            owner = max(matches, key=len)
            slot = last.removeprefix(f"{owner}_")
            name = slots_lib.of_keras3(slots_lib.class_name(optimizer), slot)
            slots[owners[owner], name] = chosen_keras.tf_variable(variable)
    return slots


def optimizers(model: Any) -> list[Any]:
    """Returns the optimizers of a model, including those inside of another optimizer."""
    result: list[Any] = []
    kinds = _kinds(model)

    def visit(thing: Any, depth: int) -> None:
        for part in _values(thing):
            if isinstance(part, kinds) and not _contains(part, result):
                result.append(part)
                if depth:
                    visit(list(vars(part).values()), depth - 1)

    visit([model.optimizer, *vars(model).values()], 1)
    return result


def _kinds(model: Any) -> tuple[type, ...]:
    """Returns the base classes of optimizers in a model's Keras."""
    base = keras_models.module_of(model).optimizers.Optimizer
    return (base,) if keras_models.version_of(model) == 3 else (base, LegacyOptimizer)


def variables(model: Any) -> list[tf.Variable]:
    """Returns all variables of a model's optimizers, including the step counts."""
    result = []
    for optimizer in optimizers(model):
        optimizer_variables = optimizer.variables
        result += optimizer_variables() if callable(optimizer_variables) else optimizer_variables
    return [chosen_keras.tf_variable(variable) for variable in result]


def _contains(thing: Any, things: Iterable[Any]) -> bool:
    return any(thing is element for element in things)


def _values(thing: Any) -> Iterable[Any]:
    """Yields the elements of nested lists and dicts."""
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, (list, tuple)):
        for part in thing:
            yield from _values(part)
    else:
        yield thing


def set_step(model: Any, step: int) -> None:
    """Sets the number of steps of all optimizers of a model."""
    for optimizer in optimizers(model):
        if hasattr(optimizer.iterations, "assign"):
            optimizer.iterations.assign(step)


def is_constant(optimizer: Any) -> bool:
    """Returns true if the learning rate is a number instead of a schedule."""
    try:
        return np.isscalar(optimizer.get_config().get("learning_rate"))
    except NotImplementedError:
        return False


def _is_schedule(value: Any) -> bool:
    """Returns whether a value is a schedule of either Keras."""
    return any(cls.__name__ == "LearningRateSchedule" for cls in type(value).__mro__)


def learning_rate(optimizer: Any) -> float | None:
    """Returns the learning rate of the next step, or None for an optimizer without a rate."""
    rate: Any = getattr(optimizer, "learning_rate", None)
    if rate is None:
        return None
    if not callable(rate):
        # With a schedule, the `learning_rate` of a newer Keras optimizer is that of its last step.
        rate = next((value for value in vars(optimizer).values() if _is_schedule(value)), rate)
    if callable(rate):
        step = chosen_keras.tf_variable(optimizer.iterations)
        rate = rate(tf.cast(step, tf.float32))
    return float(rate)


def step_function(port: port_lib.Port, gradients: Mapping[str, Any]) -> Callable[[], None]:
    """Makes a function with which the model's optimizer takes a step from fixed gradients.

    The function is traced but not run. Optimizers create their slots during tracing. Therefore the
    slots exist after this call, with their initial values.

    Args:
      port: Port whose model has a single optimizer.
      gradients: Gradients by weight, dense or IndexedSlices.

    Returns:
      A function that takes one step.
    """
    if port.is_keras3:
        # Its first step would only know the variables that have a gradient here.
        port.model.optimizer.build(port.model.trainable_variables)

    @tf.function
    def step(gradients_by_weight: dict[str, Any]) -> None:
        pairs = [(gradient, port.weights[name]) for name, gradient in gradients_by_weight.items()]
        port.model.optimizer.apply_gradients(pairs)

    step.get_concrete_function(dict(gradients))
    return lambda: step(dict(gradients))


def create(port: port_lib.Port) -> None:
    """Makes the optimizers create their slots, which they would create at the first step."""
    step_function(port, {name: tf.zeros_like(port.names[name]) for name in port.trainable})


def momentum_of(port: port_lib.Port, weight: str) -> Any | None:
    """Returns the optimizer whose slot is SGD's momentum of a weight, or None."""
    for optimizer in optimizers(port.model):
        names = {slot for owner, slot in _raw(optimizer, port) if owner == weight}
        if slots_lib.keras_slots(type(optimizer).__name__, names) is not None and names in (
            {"momentum"},
            {"m"},
        ):
            return optimizer
    return None
