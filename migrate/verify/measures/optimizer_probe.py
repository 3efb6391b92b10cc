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

from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, slots, tolerances, values

_SMALLEST, _LARGEST = -10.0, -5.0  # Powers of ten of the gradients.
_FIRST = (0, 1, 2, 10, 1000)
_MOST = 24  # Largest number of steps to compare at.
_CONSTANTS = 16  # Largest number of elements of a constant that can belong to a schedule.


@dataclasses.dataclass(frozen=True)
class _FedGradient:
    """Gradient to feed to the old graph: its tensor, its variable, and its rows if sparse."""

    tensor: Any
    variable: str
    value: np.ndarray
    indices: np.ndarray | None


@dataclasses.dataclass(frozen=True)
class ProbeInputs:
    """Inputs of the optimizers' single steps.

    Attributes:
      gradients: Gradients that are fed to the old graph.
      take_step: Function that takes the port's step from these gradients.
      initial_state: Variables of the port's optimizers, with their initial values.
      initial_values: Initial values of all variables of the model_fn, by name.
      steps: Global steps to compare at.
    """

    gradients: list[_FedGradient]
    take_step: Callable[[], None]
    initial_state: list[tuple[tf.Variable, np.ndarray]]
    initial_values: dict[str, np.ndarray]
    steps: list[int]


def prepare(case: case_lib.Case) -> ProbeInputs | str:
    """Prepares both optimizers. Call it before either has taken a step.

    Args:
      case: Both sides. The port's optimizer is fresh.

    Returns:
      The input of `run`, or the reason why the optimizers cannot be compared alone.
    """
    reason = _reason_not_comparable(case)
    if reason:
        return reason
    gradients = _gradients(case)
    take_step = slots.step_function(case.port, _joined_gradients(case, gradients))
    initial_state = [(variable, variable.numpy()) for variable in slots.variables(case.port.model)]
    graph = case.graphs[legacy_model.TRAIN]
    graph.initialize()
    initial_values = graph.read()
    zeroed_ids = _empty_mean_squares(case, initial_values)
    initial_state = [
        (v, np.zeros_like(value) if id(v) in zeroed_ids else value) for v, value in initial_state
    ]
    return ProbeInputs(gradients, take_step, initial_state, initial_values, _steps(case))


def _empty_mean_squares(case: case_lib.Case, initial_values: dict[str, np.ndarray]) -> set[int]:
    """Makes mean squares start with zero instead of one, which would hide epsilon.

    Args:
      case: Both sides. Whole steps already compare the initial values of the slots.
      initial_values: Values of the model_fn's variables, changed in place.

    Returns:
      Identities of the port's variables that must be zero too.
    """
    graph = case.graphs[legacy_model.TRAIN]
    new = slots.of_model(case.port)
    zeroed_ids = set()
    for (name, slot), legacy_slot in slots.of_graph(graph).items():
        port_slot = new.get((case.pairs.get(name, ""), slot))
        if slot != "rms" or port_slot is None:
            continue
        zeroed_ids.add(id(port_slot))
        for part in legacy_slot.parts:
            part_name = graph.part_names[id(part)]
            initial_values[part_name] = np.zeros_like(initial_values[part_name])
    return zeroed_ids


def run(level: results.Level, case: case_lib.Case, inputs: ProbeInputs | str) -> None:
    """Adds the comparisons to level 5, or a note with the reason why it has none."""
    if isinstance(inputs, str):
        level.notes.append(f"The optimizers were not compared alone (epsilon, schedule): {inputs}.")
        return
    comparisons: list[results.Comparison] = []
    for step in inputs.steps:
        comparisons += _compare(case, inputs, step)
    failures = sorted((c for c in comparisons if not c.same), key=lambda c: -c.used)
    if failures and type(case.port.model).train_step is not case.port.keras.Model.train_step:
        level.notes.append(
            "Compared alone with tiny gradients, the port's optimizer differs from the model_fn's: "
            f"{failures[0].words()} The port's own train_step may compensate for it."
        )
        return
    level.comparisons += comparisons
    level.findings += _explain(failures)
    level.notes.append(
        f"The optimizers were also compared alone, with gradients of 1e{_SMALLEST:.0f} to "
        f"1e{_LARGEST:.0f}, at the global steps {', '.join(map(str, inputs.steps))}."
    )


def _reason_not_comparable(case: case_lib.Case) -> str:
    graph = case.graphs[legacy_model.TRAIN]
    model = case.port.model
    if not graph.applied_gradients.pairs:
        return "no optimizer of the model_fn gets gradients"
    if isinstance(model.optimizer, (list, tuple, dict)):
        return "the port has several"
    for gradient, variable in graph.applied_gradients.pairs:
        is_sparse = isinstance(gradient, tf.IndexedSlices)
        if is_sparse and len(graph.variables[graph.part_names[id(variable)]].parts) > 1:
            return "a partitioned table has sparse gradients"
        tensor = gradient.values if is_sparse else gradient
        if not tensor.graph.is_feedable(tensor):
            return f"{tensor.name} cannot be fed"
    clip = [getattr(model.optimizer, name, None) for name in ("clipnorm", "global_clipnorm")]
    clip.append(getattr(model.optimizer, "clipvalue", None))
    if any(limit is not None and limit < 1e-2 for limit in clip):
        return "the port clips gradients as small as these"
    return ""


def _gradients(case: case_lib.Case) -> list[_FedGradient]:
    """Returns tiny values for each gradient, in the shape that it has for the first batch."""
    graph = case.graphs[legacy_model.TRAIN]
    random = np.random.default_rng(7)
    sparse = {
        index: gradient.indices
        for index, (gradient, _) in enumerate(graph.applied_gradients.pairs)
        if isinstance(gradient, tf.IndexedSlices)
    }
    rows = graph.run(sparse, case.batches.items[0])
    fed_gradients = []
    for index, (gradient, variable) in enumerate(graph.applied_gradients.pairs):
        shape = variable.shape.as_list()
        indices = None
        if index in rows:
            shape[0], indices = len(rows[index]), rows[index]
        size = 10.0 ** random.uniform(_SMALLEST, _LARGEST, shape)
        tensor = gradient.values if indices is not None else gradient
        dtype = tensor.dtype.as_numpy_dtype
        value = np.asarray(size * random.choice([-1.0, 1.0], shape), dtype)
        name = graph.part_names.get(id(variable), "")
        fed_gradients.append(_FedGradient(tensor, name, value, indices))
    return fed_gradients


def _compare(case: case_lib.Case, inputs: ProbeInputs, step: int) -> list[results.Comparison]:
    floor = tolerances.Floor(_legacy(case, inputs, step, None))
    for nudge in range(tolerances.RUNS):
        floor.see(_legacy(case, inputs, step, nudge))
    port_values = _port(case, inputs, step)
    return [
        results.Comparison(
            f"{name}'s update by tiny gradients at step {step}",
            case.pairs[name],
            tolerances.deviation(base, port_values[name]),
            floor.tolerance(name),
            tolerances.size(base),
        )
        for name, base in floor.base.items()
        if name in port_values
    ]


def _explain(failures: list[results.Comparison]) -> list[str]:
    """Returns findings with the steps at which updates differ, and with the worst update."""
    if not failures:
        return []
    steps = sorted({int(c.what.rpartition(" ")[2]) for c in failures})
    names = list(dict.fromkeys(c.what.partition("'s update")[0] for c in failures))
    return [
        "Whole steps agree, but compared alone with tiny gradients, the optimizers differ at "
        f"global steps {results.some([str(step) for step in steps], 8)} (epsilon and its place, or "
        f"the schedule of the learning rate), for {results.some(names)}.",
        failures[0].words(),
    ]


def _legacy(
    case: case_lib.Case, inputs: ProbeInputs, step: int, nudge: int | None
) -> dict[str, np.ndarray]:
    """Returns the variables, which were zero, after one step of the model_fn's optimizers."""
    graph = case.graphs[legacy_model.TRAIN]
    names = {gradient.variable for gradient in inputs.gradients if gradient.variable in case.pairs}
    zeros = {name: np.zeros_like(case.weights[name]) for name in names}
    powers = {
        name: value ** (step + 1)
        for name, value in inputs.initial_values.items()
        if name.rpartition("/")[2].startswith(("beta1_power", "beta2_power"))
    }
    start = {**inputs.initial_values, **case.weights, **zeros, **powers}
    graph.assign({**start, graph.step_name: np.int64(step)})
    gradients = [gradient.value for gradient in inputs.gradients]
    if nudge is not None:
        gradients = values.nudged(gradients, nudge)
    extra = {
        gradient.tensor: value for gradient, value in zip(inputs.gradients, gradients, strict=True)
    }
    with graph.nudged(nudge):
        graph.run(graph.train_op, case.batches.items[0], extra)
    return graph.read(sorted(names))


def _port(case: case_lib.Case, inputs: ProbeInputs, step: int) -> dict[str, np.ndarray]:
    """Returns the variables after one step of the port's optimizers, by legacy name."""
    port = case.port
    for variable, value in inputs.initial_state:
        variable.assign(value)
    slots.set_step(port.model, step)
    case.load_port()
    variables = {gradient.variable for gradient in inputs.gradients}
    port_names = [case.pairs[name] for name in variables if name in case.pairs]
    port.assign({name: np.zeros(port.names[name].shape) for name in port_names})
    inputs.take_step()
    return case.port_values({name: port.names[name].numpy() for name in port_names})


def _joined_gradients(case: case_lib.Case, gradients: list[_FedGradient]) -> dict[str, Any]:
    """Returns the gradients by the port's names, with parts joined. Sparse ones stay sparse."""
    graph = case.graphs[legacy_model.TRAIN]
    gradients_by_weight: dict[str, Any] = {}
    for name in dict.fromkeys(gradient.variable for gradient in gradients):
        group = [gradient for gradient in gradients if gradient.variable == name]
        if case.pairs.get(name) not in case.port.trainable:
            continue
        parts = [gradient.value for gradient in group]
        axis = graph.variables[name].axis
        # A weight without axes is whole.
        value = tf.constant(np.concatenate(parts, axis) if len(parts) > 1 else parts[0])
        if group[0].indices is not None and len(group) == 1:
            shape = tf.constant(graph.variables[name].shape)
            value = tf.IndexedSlices(value, tf.constant(group[0].indices), shape)
        gradients_by_weight[case.pairs[name]] = value
    return gradients_by_weight


def _steps(case: case_lib.Case) -> list[int]:
    """Returns the global steps to compare at: the first ones, and those around schedule numbers."""
    turns = {int(number) for number in (*_of_schedules(case), *_of_graph(case))}
    around = {turn + by for turn in sorted(turns) for by in (-1, 0, 1) if 2 < turn < 1 << 30}
    schedule_steps = sorted(around)
    if len(schedule_steps) > _MOST - len(_FIRST):
        places = np.linspace(0, len(schedule_steps) - 1, _MOST - len(_FIRST)).astype(int)
        schedule_steps = [schedule_steps[place] for place in places]
    return sorted({*_FIRST, *schedule_steps})


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
    for constant in graph.step_constants():
        if 0 < constant.size <= _CONSTANTS and constant.dtype.kind in "if":
            for number in constant.ravel():
                if float(number).is_integer():
                    yield float(number)
