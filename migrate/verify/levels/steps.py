"""Level 5: compares weights, batch-norm averages and slots after each of K training steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import tensorflow as tf

from migrate.verify import results
from migrate.verify.measures import magnitudes, optimizer_probe
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, slots, tolerances, values

TITLE = "training steps"
_LOSS = ("loss", "")
# The order of sums can change an element by a millionth of the largest one. So larger elements than
# these have an error of at most a thousandth.
_SMALL = 1e-3
Key = tuple[str, str]  # (variable, slot). The weight itself has the slot "".


def run(case: case_lib.Case, steps: int) -> results.Level:
    """Takes the same training steps on both sides, and compares after each step.

    Args:
      case: Both sides, with fixed weights.
      steps: Number of steps.

    Returns:
      The level.
    """
    level = results.Level(5, TITLE, why=tolerances.WHY)
    probe_inputs = optimizer_probe.prepare(case)
    initial_state = [(variable, variable.numpy()) for variable in slots.variables(case.port.model)]
    floors = [tolerances.Floor(state) for state in _legacy(case, steps, None)]
    for nudge in range(tolerances.RUNS):
        for floor, state in zip(floors, _legacy(case, steps, nudge), strict=True):
            floor.see(state)
    non_finite = [key[0] for key, value in floors[-1].base.items() if not np.isfinite(value).all()]
    if non_finite:
        level.verdict = results.UNKNOWN
        level.findings.append(f"Training the model_fn makes {results.some(non_finite)} not finite.")
        return level
    with randomness.dropout_off():
        for step, (floor, state) in enumerate(zip(floors, _port(case, steps), strict=True), 1):
            _compare(level, case, floor, state, step)
            if level.failed:
                break
    kinds = {key[1] or "weights" for key in floors[-1].base if key != _LOSS}
    level.compared = f"{steps} steps: {', '.join(sorted(kinds, key=_weights_first))}"
    _mention(level, case, floors)
    if level.failed:
        _explain(level)
    else:
        with randomness.dropout_off():
            optimizer_probe.run(level, case, probe_inputs)
            if not isinstance(probe_inputs, str):
                _compare_large(level, case, initial_state)
    return level.conclude()


def _compare_large(
    level: results.Level, case: case_lib.Case, initial_state: list[tuple[tf.Variable, np.ndarray]]
) -> None:
    """Compares a step from large weights, whose large gradients reveal clipping.

    Args:
      level: Level that receives the comparisons.
      case: Both sides, with their own weights.
      initial_state: Initial state of the port's optimizer.
    """
    large = magnitudes.scaled(case, magnitudes.LARGE)
    size = magnitudes.NAMES[magnitudes.LARGE]
    floor = tolerances.Floor(next(_legacy(large, 1, None)))
    for nudge in range(tolerances.RUNS):
        floor.see(next(_legacy(large, 1, nudge)))
    for variable, value in initial_state:
        variable.assign(value)
    state = next(_port(large, 1))
    if not all(np.isfinite(v).all() for v in (*floor.base.values(), *state.values())):
        level.notes.append(f"A step from weights {size} overflows: not compared.")
        return
    saturated_names = _saturated_variables(case, large)
    rounded_names = _leave_out_small_elements(large, floor, state) - saturated_names
    if rounded_names:
        level.notes.append(
            f"From weights {size}, elements below a thousandth of the largest gradient are not "
            f"compared: {results.some(sorted(rounded_names))}."
        )
    floor.base = {key: v for key, v in floor.base.items() if key[0] not in saturated_names}
    if saturated_names:
        level.notes.append(
            f"From weights {size}, rounding is a larger part of these gradients, so they are not "
            f"compared: {results.some(sorted(saturated_names))}."
        )
    large_level = results.Level(level.number, TITLE)
    _compare(large_level, large, floor, state, 1)
    level.comparisons += [
        dataclasses.replace(comparison, what=f"{comparison.what}, from weights {size}")
        for comparison in large_level.comparisons
    ]
    if large_level.failed:
        names = [c.what.partition(" after")[0] for c in large_level.failed]
        level.findings.append(
            f"Agree, but not from weights {size}, where gradients are large, as their clipping "
            f"shows: {results.some(names)}. {large_level.failed[0].words()}"
        )


def _saturated_variables(case: case_lib.Case, large: case_lib.Case) -> set[str]:
    """Returns the variables whose gradient is not larger from large weights.

    For example, a sigmoid that rounds to 1 leaves almost no gradient for the variables before it.
    Programs that sum the terms of the gradient in another order can differ there by the whole
    remainder.
    """
    graph = case.graphs[legacy_model.TRAIN]
    sizes = []
    for variant in (case, large):
        graph.assign(variant.weights)
        gradients = graph.run_gradients(variant.batches.items[0])
        sizes.append({name: tolerances.size(value) for name, value in gradients.items()})
    return {name for name, size in sizes[1].items() if not size > sizes[0][name]}


def _leave_out_small_elements(
    large: case_lib.Case, floor: tolerances.Floor[Key], state: dict[Key, np.ndarray]
) -> set[str]:
    """Gives both sides the same value where a gradient is small next to its largest element.

    For example, a tanh that rounds to 1 has a gradient of 0 in one program, and of 1e-8 in another
    one. Adam divides a gradient by its own size, so it makes a visible step of the second. Clipping
    shows in the large elements.

    Returns:
      The variables with such elements that differ.
    """
    names = set()
    graph = large.graphs[legacy_model.TRAIN]
    graph.assign(large.weights)
    for name, gradient in graph.run_gradients(large.batches.items[0]).items():
        sizes = np.abs(gradient)
        is_small = sizes <= _SMALL * sizes.max(initial=0)
        for key, base in floor.base.items():
            if key[0] == name and key in state and base.shape == sizes.shape == state[key].shape:
                compared = np.where(is_small, base, state[key])
                if tolerances.deviation(compared, state[key]) > floor.tolerance(key):
                    names.add(name)
                state[key] = compared
    return names


def _weights_first(kind: str) -> tuple[bool, str]:
    return kind != "weights", kind


def _legacy(case: case_lib.Case, steps: int, nudge: int | None) -> Iterator[dict[Key, np.ndarray]]:
    """Yields the state after each step of the model_fn, from nudged weights if `nudge` is set."""
    graph = case.graphs[legacy_model.TRAIN]
    graph.initialize()
    weights = case.weights if nudge is None else case.neighbours[nudge]
    graph.assign({**weights, **case.state, graph.step_name: np.asarray(case.step, np.int64)})
    names = [name for name in case.pairs if name in graph.variables]
    slots_by_key = slots.of_graph(graph)
    fetches = {key: list(slot.parts) for key, slot in slots_by_key.items()}
    for step in range(steps):
        batch = case.batches.items[step % len(case.batches.items)]
        if nudge is not None:
            features = values.nudged(batch.features, 100 * nudge + step)
            batch = dataclasses.replace(batch, features=features)
        with graph.nudged(nudge):
            loss, _ = graph.run((graph.loss, graph.train_op), batch)
        state = {(name, ""): value for name, value in graph.read(names).items()}
        for key, parts in graph.session.run(fetches).items():
            state[key] = slots_by_key[key].join_values(parts)
        yield {_LOSS: np.asarray(loss), **state}


def _port(case: case_lib.Case, steps: int) -> Iterator[dict[Key, np.ndarray]]:
    """Yields the state after each step of the port, under legacy names."""
    case.load_port()
    slots.set_step(case.port.model, case.step)
    if case.state:
        _continue(case)
    legacy_names = {new: old for old, new in case.pairs.items()}
    for step in range(steps):
        batch = case.batches.items[step % len(case.batches.items)]
        loss = case.port.step(batch)
        state = {(old, ""): value for old, value in case.port_values(case.port.read()).items()}
        for (weight, slot), variable in slots.of_model(case.port).items():
            value = _as_v1(case, weight, slot, variable.numpy())
            if value is not None and weight in legacy_names:
                state[legacy_names[weight], slot] = value
        yield state if loss is None else {_LOSS: np.asarray(loss), **state}


def _as_v1(case: case_lib.Case, weight: str, slot: str, value: np.ndarray) -> np.ndarray | None:
    """Converts a slot of the port to v1's convention, or returns None if this is impossible.

    v1's Momentum sums gradients, and Keras' sums steps. After a change of the learning rate the two
    cannot be converted.
    """
    optimizer = slots.momentum_of(case.port, weight) if slot == "momentum" else None
    if optimizer is None:
        return value
    constant = slots.is_constant(optimizer) and slots.learning_rate(optimizer)
    return -value / slots.learning_rate(optimizer) if constant else None


def _continue(case: case_lib.Case) -> None:
    """Loads the checkpoint's slots into the port's optimizer."""
    graph = case.graphs[legacy_model.TRAIN]
    graph.assign(case.state)
    slots_by_key = slots.of_graph(graph)
    old = graph.session.run({key: list(slot.parts) for key, slot in slots_by_key.items()})
    slots.create(case.port)
    for (weight, slot), variable in slots.of_model(case.port).items():
        key = next((o for o, n in case.pairs.items() if n == weight), ""), slot
        if key not in old:
            continue
        value = slots_by_key[key].join_values(old[key])
        optimizer = slots.momentum_of(case.port, weight) if slot == "momentum" else None
        rate = slots.learning_rate(optimizer) if optimizer is not None else None
        variable.assign(value if rate is None else -rate * value)


def _compare(
    level: results.Level,
    case: case_lib.Case,
    floor: tolerances.Floor[Key],
    state: dict[Key, np.ndarray],
    step: int,
) -> None:
    for key, base in floor.base.items():
        if key not in state:
            continue
        name, slot = key
        what = f"{name}'s {slot}" if slot else name
        level.comparisons.append(
            results.Comparison(
                f"{what} {'of' if key == _LOSS else 'after'} step {step}",
                "" if key == _LOSS else case.pairs[name],
                tolerances.deviation(base, state[key]),
                floor.tolerance(key),
                tolerances.size(base),
            )
        )


def _mention(
    level: results.Level, case: case_lib.Case, floors: list[tolerances.Floor[Key]]
) -> None:
    """Adds notes on the variables and slots that the comparison does not cover."""
    graph = case.graphs[legacy_model.TRAIN]
    descriptions = {c.what for c in level.comparisons}
    slot_parts = {part.op.name for slot in slots.of_graph(graph).values() for part in slot.parts}
    state = [
        name
        for name, variable in graph.variables.items()
        if name not in case.pairs
        and name not in (graph.step_name, *case.map.left_out)
        and not name.rpartition("/")[2].startswith(("beta1_power", "beta2_power"))
        and not any(part.op.name in slot_parts for part in variable.parts)
    ]
    if state:
        level.notes.append(f"Compared only by the effect on the weights: {results.some(state)}.")
    slot_names = sorted({key[1] for key in floors[-1].base if key[1]})
    missing_slots = [
        s for s in slot_names if not any(f"'s {s} after" in what for what in descriptions)
    ]
    if missing_slots and level.comparisons:
        level.notes.append(
            f"The slots {', '.join(missing_slots)} have no counterpart in the port's optimizer, so "
            "only their effect on the weights is compared."
        )
    unmoved = [
        name
        for name in case.pairs
        if 0
        < tolerances.deviation(floors[-1].base[name, ""], case.weights[name])
        <= floors[-1].tolerance((name, ""))
    ]
    if unmoved:
        level.notes.append(
            "Moves by no more than a rounding error (like a bias before batch-norm), so its steps "
            f"show nothing: {results.some(unmoved)}."
        )


def _explain(level: results.Level) -> None:
    first = level.failed[0].what.rpartition("step ")[2]
    names = [c.what.partition(" after")[0] for c in level.failed]
    level.findings.append(f"Differ after step {first}: {results.some(names)}.")
    level.findings.append(level.failed[0].words())
