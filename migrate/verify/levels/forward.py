"""Level 2: compares the forward pass layer by layer, in evaluation and in training."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from migrate.verify import results
from migrate.verify.measures import activations, dropouts, magnitudes
from migrate.verify.measures.activations import BEFORE, NONE, OFF, SAME
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, tolerances

TITLE = "forward pass"


def run(case: case_lib.Case) -> results.Level:
    """Compares the outputs. If they differ, names the first divergent layer."""
    level = results.Level(2, TITLE, why=tolerances.WHY)
    for mode in case.graphs:
        reason = _reason_not_comparable(case, mode)
        if reason:
            level.verdict = results.UNKNOWN
            level.findings.append(reason)
            break
        with randomness.dropout_off() as port_dropouts:
            layers = activations.compare(case, mode)
        _judge(level, case, layers, mode)
        if not level.findings:
            dropouts.compare(level, case, mode, port_dropouts)
        if level.findings:
            break
    if not level.findings:
        for factor in (magnitudes.SMALL, magnitudes.LARGE):
            _compare_magnitude(level, case, factor)
    if case.output and not level.findings:
        level.notes.append(
            f"The port's output is {case.output} of the tensor from which the model_fn computes "
            "its loss."
        )
    level.compared = f"{len(level.comparisons)} layers and outputs, {results.modes(case.graphs)}"
    return level.conclude()


def _reason_not_comparable(case: case_lib.Case, mode: str) -> str:
    """Returns a reason why nothing can be compared: NaN or random results. "" without one."""
    graph, batch = case.graphs[mode], case.batches.items[0]
    graph.assign(case.weights)
    case.load_port()
    old = [float(graph.run(graph.scalar, batch)) for _ in range(2)]
    if not np.isfinite(old).all():
        return f"The model_fn's {_scalar(mode)} in {mode} is {old[0]}."
    with randomness.dropout_off():
        new = []
        for _ in range(2):
            case.load_port()
            outputs = case.port.call(batch, mode == legacy_model.TRAIN)
            new.append([float(tf.reduce_sum(tf.cast(t, tf.float32))) for t in _tensors(outputs)])
    noise = tolerances.MARGIN * float(np.finfo(np.float32).eps) * max(abs(old[0]), 1.0)
    names = f", such as {results.some(graph.random_ops, 3)}" if graph.random_ops else ""
    if max(old) - min(old) > noise:
        return (
            f"The model_fn's {_scalar(mode)} in {mode} changes from run to run, with dropout off: "
            f"it draws random numbers{names}."
        )
    spread = np.ptp(np.asarray(new), axis=0)
    if (spread > 1e-4 * (np.abs(new[0]) + 1)).any():
        return f"The port's output in {mode} changes from run to run, with dropout off."
    return ""


def _scalar(mode: str) -> str:
    return "output" if mode == legacy_model.PREDICT else "loss"


def _tensors(outputs: Any) -> list[Any]:
    return [tensor for tensor in tf.nest.flatten(outputs) if tensor.dtype.is_floating]


def _judge(
    level: results.Level, case: case_lib.Case, layers: activations.LayerStates, mode: str
) -> None:
    """Records the calls that agree. If the output differs, finds the layer to blame."""
    state, output = layers.states[0], layers.comparisons[0]
    if state == NONE:
        level.notes.append(
            f"No tensor of its size in the {mode} graph matches the model's output, so the loss "
            "decides."
        )
    elif output is not None:
        if "(" in output.what and state == SAME:
            case.output = output.what
        level.comparisons.append(_with_labels(output, "the model's output", mode))
    matches = [i for i, s in enumerate(layers.states) if s in (SAME, BEFORE) and i > 0]
    level.comparisons += [_with_labels(layers.nearest(i), path(layers, i), mode) for i in matches]
    mismatches = [path(layers, i) for i in blamable(layers)]
    if state in (OFF, BEFORE):
        level.findings.append(_blame(case, layers, mode))
    elif mismatches:
        level.notes.append(
            f"In {mode}, these layers match no tensor, but the model's output agrees: "
            f"{results.some(mismatches)}."
        )


def _compare_magnitude(level: results.Level, case: case_lib.Case, factor: float) -> None:
    """Compares the outputs from weights of another magnitude."""
    size = magnitudes.NAMES[factor]
    result = magnitudes.compare(case, factor)
    if result is None:
        level.notes.append(f"From weights {size}, one of the programs overflows: not compared.")
        return
    scaled_case, layers = result
    output = layers.comparisons[0]
    if output is not None:
        port = f"the model's output, weights {size}"
        level.comparisons.append(_with_labels(output, port, case.plain_mode))
    if layers.states[0] in (OFF, BEFORE):
        level.findings.append(
            f"Agrees, but not from weights {size}. {_blame(scaled_case, layers, case.plain_mode)}"
        )


def _with_labels(comparison: results.Comparison, port: str, mode: str) -> results.Comparison:
    what = f"{comparison.what} in {legacy_model.WORDS[mode]}"
    return results.Comparison(
        what, port, comparison.deviation, comparison.tolerance, comparison.size
    )


def path(layers: activations.LayerStates, index: int) -> str:
    """Returns the names of the layers that contain a call, and the call's own name."""
    names = []
    current: int | None = index
    while current is not None and current > 0:
        names.append(layers.calls[current].layer)
        current = layers.calls[current].parent
    return "/".join(reversed(names))


def blamable(layers: activations.LayerStates) -> list[int]:
    """Returns the calls that are off, in order, except those that a later call clears.

    A call is cleared if a call that consumes its results agrees, directly or through other calls.
    """
    consumers: dict[int, list[int]] = {}
    for index, call in enumerate(layers.calls):
        for identity in call.inputs:
            consumers.setdefault(identity, []).append(index)

    def is_cleared(index: int, visited: set[int]) -> bool:
        if index in visited:
            return False
        visited.add(index)
        consumer_calls = [
            i for r in layers.calls[index].results for i in consumers.get(r, []) if i != index
        ]
        return any(layers.states[i] == SAME or is_cleared(i, visited) for i in consumer_calls)

    return [
        index
        for index, state in enumerate(layers.states)
        # A tensor in a loop over time has no equivalent outside of the loop.
        if index
        and not layers.calls[index].inside_loop
        and state in (OFF, BEFORE)
        and not is_cleared(index, set())
    ]


def first_divergent(layers: activations.LayerStates) -> int:
    """Returns the first call that is off, as deep as possible. 0 if only the whole model is."""
    blamed = blamable(layers)
    current = 0
    while True:
        inner = [i for i in blamed if layers.calls[i].parent == current]
        if not inner:
            return current
        current = inner[0]


def _blame(case: case_lib.Case, layers: activations.LayerStates, mode: str) -> str:
    index = first_divergent(layers)
    call, comparison = layers.calls[index], layers.nearest(index)
    mode_words = legacy_model.WORDS[mode]
    legacy_names = {new: old for old, new in case.pairs.items()}
    weights = [legacy_names[name] for name in call.weights if name in legacy_names] if index else []
    weights_text = f", which has {results.some(weights)}" if weights else ""
    subject = (
        f"the layer {path(layers, index)} ({call.kind}{weights_text})"
        if index
        else "the model's output"
    )
    if index and layers.states[index] == BEFORE:
        return (
            f"First divergent in {mode_words}: {subject}, in its activation function: its input "
            f"agrees with {comparison.what}, its output with nothing."
        )
    return (
        f"First divergent in {mode_words}: {subject}. Nearest in the model_fn is "
        f"{comparison.what}, off by {comparison.deviation:.3g}; the tolerance is "
        f"{comparison.tolerance:.3g}, the largest value {comparison.size:.3g}."
    )
