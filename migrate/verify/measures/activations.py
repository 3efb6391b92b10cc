"""Finds each layer's output among the tensors of the old graph, by the computed values.

    layers = activations.compare(case, "eval")
    layers.states[3]      # SAME: call 3 agrees with a tensor. OFF: it agrees with none.
                          # BEFORE: only the input of its activation function agrees with one.
                          # NONE: no tensor has the size of its output.

With the same weights and the same input, two tensors of equal size that agree to rounding are the
same quantity, because random weights make a coincidence impossible. The comparison needs no names,
and the two programs may divide the model into layers differently.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import tensorflow as tf

from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, tolerances
from migrate.verify.sides import port as port_lib

SAME, BEFORE, OFF, NONE = "same", "same before its activation", "off", "none"
_SAMPLE = 64  # Elements that rank the candidates before all elements are compared.
_NEAREST = 3
_FETCHED_BYTES = 512 << 20  # Largest total of the old graph's tensors in one fetch.
_SQUASHING_OPS = {"Softmax", "Sigmoid", "LogSoftmax"}
_SQUASHES = {"softmax": tf.nn.softmax, "sigmoid": tf.sigmoid, "log_softmax": tf.nn.log_softmax}


@dataclasses.dataclass
class LayerStates:
    """States of the calls of the port's layers.

    Attributes:
      calls: Calls of layers. The first is the model's own call.
      states: SAME, BEFORE, OFF or NONE for each call.
      comparisons: Comparisons with the nearest tensors. None for NONE.
    """

    calls: list[port_lib.Call]
    states: list[str]
    comparisons: list[results.Comparison | None]

    def nearest(self, index: int) -> results.Comparison:
        """Returns the comparison of a call whose state is not NONE."""
        comparison = self.comparisons[index]
        assert comparison is not None
        return comparison


def compare(case: case_lib.Case, mode: str, outputs_only: bool = False) -> LayerStates:
    """Runs both sides forward on the first batch, and pairs their values.

    Args:
      case: Both sides.
      mode: "train", "eval" or "infer".
      outputs_only: If true, compares only the model's outputs, not those of its layers.

    Returns:
      The states of the calls.
    """
    batch = case.batches.items[0]
    case.load_port()
    calls = case.port.calls(batch, training=mode == legacy_model.TRAIN)
    calls = calls[:1] if outputs_only else calls
    arrays = [(i, name, array) for i, call in enumerate(calls) for name, array in call.outputs]
    graph = case.graphs[mode]
    tensors = _of_sizes(graph.forward(), {array.size for _, _, array in arrays}, batch.size)
    ranks: dict[int, list[tuple[float, str]]] = {index: [] for index in range(len(arrays))}
    outputs = {array.size for _, array in calls[0].outputs}
    for group in _groups(tensors, batch.size):
        values = graph.run({tensor.name: tensor for tensor in group}, batch)
        values |= _probabilities(group, values, outputs)
        for index, (_, _, array) in enumerate(arrays):
            ranks[index] += _rank(array, values)
    nearest = {k: [name for _, name in sorted(ranking)[:_NEAREST]] for k, ranking in ranks.items()}
    floor = _floor(case, mode, sorted({name for names in nearest.values() for name in names}))
    layers = LayerStates(calls, [], [])
    for index in range(len(calls)):
        parts = {
            k: _best(calls[index].layer, arrays[k][2], nearest[k], floor)
            for k in range(len(arrays))
            if arrays[k][0] == index
        }
        named_parts = [(arrays[k][1], part) for k, part in parts.items() if part is not None]
        state, comparison = _judge(named_parts)
        layers.states.append(state)
        layers.comparisons.append(comparison)
    return layers


def _of_sizes(tensors: list[Any], sizes: set[int], batch_size: int) -> list[Any]:
    """Returns the tensors that can have one of these sizes."""
    return [t for t in tensors if (n := _elements(t, batch_size)) is None or n in sizes]


def _elements(tensor: Any, batch_size: int) -> int | None:
    """Returns a tensor's number of elements, with one unknown dimension taken as the batch."""
    if tensor.shape.rank is None:
        return None
    dimensions = tensor.shape.as_list()
    if dimensions.count(None) > 1 or None in dimensions[1:]:
        return None
    return int(np.prod([batch_size if d is None else d for d in dimensions]))


def _groups(tensors: list[Any], batch_size: int) -> list[list[Any]]:
    """Divides a list into groups whose values fit into memory."""
    groups: list[list[Any]] = [[]]
    size = 0
    for tensor in tensors:
        size += 8 * (_elements(tensor, batch_size) or 1 << 20)
        if size > _FETCHED_BYTES and groups[-1]:
            groups.append([])
            size = 0
        groups[-1].append(tensor)
    return groups


def _probabilities(group: list[Any], values: dict[str, Any], sizes: set[int]) -> dict[str, Any]:
    """Returns probabilities of logits.

    A fused loss never computes them, but they can be the output of a port.
    """
    return {
        f"{name}({tensor.name})": squash(values[tensor.name]).numpy()
        for tensor in group
        for name, squash in _SQUASHES.items()
        if tensor.op.type not in _SQUASHING_OPS
        and values[tensor.name].ndim == 2
        and values[tensor.name].size in sizes
    }


def _rank(array: np.ndarray, values: dict[str, np.ndarray]) -> list[tuple[float, str]]:
    """Returns the nearest tensors with the same number of elements, as (deviation, name)."""
    flat = array.ravel()
    places = np.linspace(0, flat.size - 1, min(flat.size, _SAMPLE)).astype(int)
    same_size = [name for name, value in values.items() if value.size == flat.size]
    ranking = sorted(
        (tolerances.deviation(values[name].ravel()[places], flat[places]), index, name)
        for index, name in enumerate(same_size)
    )[: 2 * _NEAREST]
    return [(tolerances.deviation(values[name], flat), name) for _, _, name in ranking]


def _floor(case: case_lib.Case, mode: str, names: list[str]) -> tolerances.Floor[str]:
    graph = case.graphs[mode]
    by_name = {tensor.name: tensor for tensor in graph.forward()}
    plain = {name: _inner(name) for name in names}

    def compute(batch: Any) -> dict[str, np.ndarray]:
        values = graph.run({inner: by_name[inner] for inner in set(plain.values())}, batch)
        return {name: _outer(name, values[inner]) for name, inner in plain.items()}

    return case.floor(compute, mode, case.batches.items[0])


def _inner(name: str) -> str:
    return name.partition("(")[2].removesuffix(")") if "(" in name else name


def _outer(name: str, value: np.ndarray) -> np.ndarray:
    return _SQUASHES[name.partition("(")[0]](value).numpy() if "(" in name else value


def _best(
    layer: str, array: np.ndarray, names: list[str], floor: tolerances.Floor[str]
) -> results.Comparison | None:
    """Returns the comparison that uses the smallest fraction of its tolerance."""
    comparisons = [
        results.Comparison(
            name,
            layer,
            tolerances.deviation(floor.base[name], array),
            floor.tolerance(name),
            tolerances.size(floor.base[name]),
        )
        for name in names
        if floor.base[name].size == array.size
    ]
    return min(comparisons, key=lambda comparison: comparison.used, default=None)


def _judge(
    parts: list[tuple[str, results.Comparison]],
) -> tuple[str, results.Comparison | None]:
    """Returns the state of a call. All of its outputs must agree."""
    outputs = [part for name, part in parts if name == port_lib.OUTPUT]
    input_matches = [part for name, part in parts if name != port_lib.OUTPUT and part.same]
    if not outputs:
        return NONE, None
    worst = max(outputs, key=lambda part: part.used)
    if worst.same:
        return SAME, worst
    return (BEFORE, input_matches[0]) if input_matches else (OFF, worst)
