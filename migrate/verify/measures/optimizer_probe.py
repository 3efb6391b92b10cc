"""Compares single steps of both optimizers from tiny gradients, where schedules change.

Epsilon and its place show only with gradients of its size. A schedule shows only where it changes,
which may be after thousands of steps. Therefore both sides get the same gradients, from 1e-10 to
1e-5, far below any clipping threshold, with empty slots and weights of zero. They are compared at
the first steps and around every number in either schedule.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, slots, tolerances, values

_SMALLEST, _LARGEST = -10.0, -5.0  # Powers of ten of the gradients.
_FIRST = (0, 1, 2, 10, 1000)
_MOST = 24  # Largest number of steps to compare at.
_CONSTANTS = 16  # Largest number of elements of a constant that can belong to a schedule.


@dataclasses.dataclass(frozen=True)
class _Fed:
    """A gradient of the old graph that can be fed: its tensor, variable, and rows if sparse."""

    tensor: Any
    variable: str
    value: np.ndarray
    indices: np.ndarray | None


@dataclasses.dataclass(frozen=True)
class Prepared:
    """Inputs of the optimizers' single steps.

    Attributes:
      fed: Gradients.
      take_step: Function that takes the port's step from these gradients.
      fresh: Variables of the port's optimizers, with their initial values.
      initial: Initial values of all variables of the model_fn, by name.
      steps: Global steps to compare at.
    """

    fed: list[_Fed]
    take_step: Callable[[], None]
    fresh: list[tuple[tf.Variable, np.ndarray]]
    initial: dict[str, np.ndarray]
    steps: list[int]


def prepare(case: case_lib.Case) -> Prepared | str:
    """Prepares both optimizers. Call it before either has taken a step.

    Args:
      case: Both sides. The port's optimizer is fresh.

    Returns:
      The input of `run`, or the reason why the optimizers cannot be compared alone.
    """
    reason = _cannot(case)
    if reason:
        return reason
    fed = _gradients(case)
    take_step = slots.step_function(case.port, _whole(case, fed))
    fresh = [(variable, variable.numpy()) for variable in slots.variables(case.port.model)]
    graph = case.graphs[legacy_model.TRAIN]
    graph.initialize()
    initial = graph.read()
    emptied = _empty_mean_squares(case, initial)
    fresh = [(v, np.zeros_like(value) if id(v) in emptied else value) for v, value in fresh]
    return Prepared(fed, take_step, fresh, initial, _steps(case))


def _empty_mean_squares(case: case_lib.Case, initial: dict[str, np.ndarray]) -> set[int]:
    """Makes mean squares start with zero instead of one, which would hide epsilon.

    Args:
      case: Both sides. Whole steps already compare the initial values of the slots.
      initial: Values of the model_fn's variables, changed in place.

    Returns:
      Identities of the port's variables that must be zero too.
    """
    graph = case.graphs[legacy_model.TRAIN]
    new = slots.of_model(case.port)
    emptied = set()
    for (name, slot), held in slots.of_graph(graph).items():
        like = new.get((case.pairs.get(name, ""), slot))
        if slot != "rms" or like is None:
            continue
        emptied.add(id(like))
        for part in held.parts:
            whole = graph.part_names[id(part)]
            initial[whole] = np.zeros_like(initial[whole])
    return emptied


def run(level: results.Level, case: case_lib.Case, prepared: Prepared | str) -> None:
    """Adds the comparisons to level 5, or a note with the reason why it has none."""
    if isinstance(prepared, str):
        level.notes.append(
            f"The optimizers were not compared alone (epsilon, schedule): {prepared}."
        )
        return
    compared: list[results.Comparison] = []
    for step in prepared.steps:
        compared += _compare(case, prepared, step)
    failed = sorted((c for c in compared if not c.same), key=lambda c: -c.used)
    if failed and type(case.port.model).train_step is not tf_keras.Model.train_step:
        level.notes.append(
            "Compared alone with tiny gradients, the port's optimizer differs from the model_fn's: "
            f"{failed[0].words()} The port's own train_step may compensate for it."
        )
        return
    level.comparisons += compared
    level.findings += _explain(failed)
    level.notes.append(
        f"The optimizers were also compared alone, with gradients of 1e{_SMALLEST:.0f} to "
        f"1e{_LARGEST:.0f}, at the global steps {', '.join(map(str, prepared.steps))}."
    )


def _cannot(case: case_lib.Case) -> str:
    graph = case.graphs[legacy_model.TRAIN]
    model = case.port.model
    if not graph.applied.pairs:
        return "no optimizer of the model_fn gets gradients"
    if isinstance(model.optimizer, (list, tuple, dict)):
        return "the port has several"
    for gradient, variable in graph.applied.pairs:
        sparse = isinstance(gradient, tf.IndexedSlices)
        if sparse and len(graph.variables[graph.part_names[id(variable)]].parts) > 1:
            return "a partitioned table has sparse gradients"
        tensor = gradient.values if sparse else gradient
        if not tensor.graph.is_feedable(tensor):
            return f"{tensor.name} cannot be fed"
    clip = [getattr(model.optimizer, name, None) for name in ("clipnorm", "global_clipnorm")]
    clip.append(getattr(model.optimizer, "clipvalue", None))
    if any(limit is not None and limit < 1e-2 for limit in clip):
        return "the port clips gradients as small as these"
    return ""


def _gradients(case: case_lib.Case) -> list[_Fed]:
    """Returns tiny values for each gradient, in the shape that it has for the first batch."""
    graph = case.graphs[legacy_model.TRAIN]
    random = np.random.default_rng(7)
    sparse = {
        index: gradient.indices
        for index, (gradient, _) in enumerate(graph.applied.pairs)
        if isinstance(gradient, tf.IndexedSlices)
    }
    rows = graph.run(sparse, case.batches.items[0])
    fed = []
    for index, (gradient, variable) in enumerate(graph.applied.pairs):
        shape = variable.shape.as_list()
        indices = None
        if index in rows:
            shape[0], indices = len(rows[index]), rows[index]
        size = 10.0 ** random.uniform(_SMALLEST, _LARGEST, shape)
        value = (size * random.choice([-1.0, 1.0], shape)).astype(np.float32)
        tensor = gradient.values if indices is not None else gradient
        name = graph.part_names.get(id(variable), "")
        fed.append(_Fed(tensor, name, value, indices))
    return fed


def _compare(case: case_lib.Case, prepared: Prepared, step: int) -> list[results.Comparison]:
    floor = tolerances.Floor(_legacy(case, prepared, step, None))
    for nudge in range(tolerances.RUNS):
        floor.see(_legacy(case, prepared, step, nudge))
    found = _port(case, prepared, step)
    return [
        results.Comparison(
            f"{name}'s update by tiny gradients at step {step}",
            case.pairs[name],
            tolerances.deviation(base, found[name]),
            floor.tolerance(name),
            tolerances.size(base),
        )
        for name, base in floor.base.items()
        if name in found
    ]


def _explain(failed: list[results.Comparison]) -> list[str]:
    """Returns findings with the steps at which updates differ, and with the worst update."""
    if not failed:
        return []
    steps = sorted({int(c.what.rpartition(" ")[2]) for c in failed})
    names = list(dict.fromkeys(c.what.partition("'s update")[0] for c in failed))
    return [
        "Whole steps agree, but compared alone with tiny gradients, the optimizers differ at "
        f"global steps {results.some([str(step) for step in steps], 8)} (epsilon and its place, or "
        f"the schedule of the learning rate), for {results.some(names)}.",
        failed[0].words(),
    ]


def _legacy(
    case: case_lib.Case, prepared: Prepared, step: int, nudge: int | None
) -> dict[str, np.ndarray]:
    """Returns the variables, which were zero, after one step of the model_fn's optimizers."""
    graph = case.graphs[legacy_model.TRAIN]
    names = {one.variable for one in prepared.fed if one.variable in case.pairs}
    zeros = {name: np.zeros_like(case.weights[name]) for name in names}
    powers = {
        name: value ** (step + 1)
        for name, value in prepared.initial.items()
        if name.rpartition("/")[2].startswith(("beta1_power", "beta2_power"))
    }
    start = {**prepared.initial, **case.weights, **zeros, **powers}
    graph.assign({**start, graph.step_name: np.int64(step)})
    gradients = [one.value for one in prepared.fed]
    if nudge is not None:
        gradients = values.nudged(gradients, nudge)
    extra = {one.tensor: value for one, value in zip(prepared.fed, gradients, strict=True)}
    with graph.nudged(nudge):
        graph.run(graph.train_op, case.batches.items[0], extra)
    return graph.read(sorted(names))


def _port(case: case_lib.Case, prepared: Prepared, step: int) -> dict[str, np.ndarray]:
    """Returns the variables after one step of the port's optimizers, by legacy name."""
    port = case.port
    for variable, value in prepared.fresh:
        variable.assign(value)
    slots.set_step(port.model, step)
    case.load_port()
    fed = {one.variable for one in prepared.fed}
    asked = [case.pairs[name] for name in fed if name in case.pairs]
    port.assign({name: np.zeros(port.names[name].shape) for name in asked})
    prepared.take_step()
    return case.port_values({name: port.names[name].numpy() for name in asked})


def _whole(case: case_lib.Case, fed: list[_Fed]) -> dict[str, Any]:
    """Returns gradients for the port by its names, with parts joined, sparse where they are."""
    graph = case.graphs[legacy_model.TRAIN]
    found: dict[str, Any] = {}
    for name in dict.fromkeys(one.variable for one in fed):
        group = [one for one in fed if one.variable == name]
        if case.pairs.get(name) not in case.port.trainable:
            continue
        value = tf.constant(
            np.concatenate([one.value for one in group], graph.variables[name].axis)
        )
        if group[0].indices is not None and len(group) == 1:
            shape = tf.constant(graph.variables[name].shape)
            value = tf.IndexedSlices(value, tf.constant(group[0].indices), shape)
        found[case.pairs[name]] = value
    return found


def _steps(case: case_lib.Case) -> list[int]:
    """Returns the global steps to compare at: the first ones, and those around schedule numbers."""
    turns = {int(number) for number in (*_of_schedules(case), *_of_graph(case))}
    around = {turn + by for turn in sorted(turns) for by in (-1, 0, 1) if 2 < turn < 1 << 30}
    most = sorted(around)
    if len(most) > _MOST - len(_FIRST):
        places = np.linspace(0, len(most) - 1, _MOST - len(_FIRST)).astype(int)
        most = [most[place] for place in places]
    return sorted({*_FIRST, *most})


def _of_schedules(case: case_lib.Case) -> Iterator[float]:
    """Yields the whole numbers in the configurations of the port's optimizers."""

    def numbers(thing: Any) -> Iterator[float]:
        if isinstance(thing, dict):
            thing = list(thing.values())
        if isinstance(thing, (list, tuple)):
            for part in thing:
                yield from numbers(part)
        elif isinstance(thing, (int, float)) and float(thing).is_integer():
            yield thing

    for optimizer in slots.optimizers(case.port.model):
        try:
            yield from numbers(optimizer.get_config())
        except NotImplementedError:
            continue


def _of_graph(case: case_lib.Case) -> Iterator[float]:
    """Yields the whole numbers that the old graph combines with the global step."""
    graph = case.graphs[legacy_model.TRAIN]
    for constant in graph.constants_beside_step():
        if 0 < constant.size <= _CONSTANTS and constant.dtype.kind in "if":
            for number in constant.ravel():
                if float(number).is_integer():
                    yield float(number)
