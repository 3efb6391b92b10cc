"""Compares dropout itself, which all other comparisons switch off: rates and places.

    dropouts.compare(level, case, "train", port_dropouts)

The values of a dropout's input identify its place. They are compared in any order and up to a
factor. For example, one program may drop before it transposes, scales or rectifies, and another one
after it. The distribution is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from migrate import batches
from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, tolerances


def compare(
    level: results.Level,
    case: case_lib.Case,
    mode: str,
    port_dropouts: Sequence[randomness.Dropout],
) -> None:
    """Adds differences to level 2.

    Args:
      level: Level that receives findings and notes.
      case: Both sides, with the fixed weights.
      mode: "train", "eval" or "infer".
      port_dropouts: Dropout calls of the port on the first batch in this mode.
    """
    old, new = case.graphs[mode].dropouts, port_dropouts
    when = legacy_model.WORDS[mode]
    if any(d.rate is None for d in (*old, *new)):
        level.notes.append(
            "A dropout rate is computed in the graph, or depends on a tf.cond. It was not compared."
        )
        return
    rates = [sorted({_rate(d) for d in side}) for side in (old, new)]
    if rates[0] != rates[1]:
        where = [d.where for d in old if _rate(d) not in rates[1]]
        of = f" (of {results.some(where)})" if where else ""
        level.findings.append(
            f"Dropout in {when}: the model_fn drops {_rates(rates[0])}{of}, the port "
            f"{_rates(rates[1])}."
        )
        return
    if old:
        _compare_places(level, case, mode, new)


def _compare_places(
    level: results.Level, case: case_lib.Case, mode: str, new: Sequence[randomness.Dropout]
) -> None:
    old = case.graphs[mode].dropouts
    port_inputs = [_eager_input(d) for d in new]
    graph = case.graphs[mode].scalar.graph
    all_fetchable = all(d.tensor.graph is graph and graph.is_fetchable(d.tensor) for d in old)
    known_inputs = [value for value in port_inputs if value is not None]
    if all_fetchable and len(known_inputs) == len(port_inputs):
        level.findings.extend(
            _misplaced_dropouts(case, mode, list(zip(new, known_inputs, strict=True)))
        )
    elif not _same_counts(old, new):
        level.findings.append(
            f"Dropout: the model_fn has it in {len(old)} places, of (rate, width) {_sizes(old)}; "
            f"the port in {len(new)}, {_sizes(new)}."
        )
    else:
        level.notes.append(
            "Dropout is within a loop, or makes a mask: rates and widths were compared, but not "
            "its place."
        )


def _same_counts(old: Sequence[randomness.Dropout], new: Sequence[randomness.Dropout]) -> bool:
    """Returns true if both sides drop equally often.

    A graph may hold the body of an RNN once, while the port calls its cell in each step. So the
    calls of one caller may also count once.
    """
    counts_of_old = [_sizes(old), _sizes(_callers(old))]
    return any(_sizes(side) in counts_of_old for side in (new, _callers(new)))


def _sizes(side: Sequence[randomness.Dropout]) -> list[tuple[float, int]]:
    return sorted((_rate(d), d.width or 0) for d in side)


def _callers(side: Sequence[randomness.Dropout]) -> list[randomness.Dropout]:
    """Returns the first call of each caller."""
    return list({(d.caller, _rate(d), d.width): d for d in reversed(side)}.values())


def _eager_input(dropout: randomness.Dropout) -> np.ndarray | None:
    """Returns the input of a dropout. None if it is unknown, or if it is ones, to make a mask."""
    if not hasattr(dropout.tensor, "numpy"):
        return None
    value = dropout.tensor.numpy()
    return None if value.size and np.ptp(value) == 0 else value


def _misplaced_dropouts(
    case: case_lib.Case, mode: str, new: list[tuple[randomness.Dropout, np.ndarray]]
) -> list[str]:
    """Returns a finding about dropout that only one side has."""
    graph = case.graphs[mode]
    places = {f"{index}": d for index, d in enumerate(graph.dropouts)}

    def compute(batch: batches.Batch) -> dict[str, np.ndarray]:
        return graph.run({key: d.tensor for key, d in places.items()}, batch)

    floor = case.floor(compute, mode, case.batches.items[0])
    unmatched = dict(places)
    rest = []
    for dropout, value in new:
        match = next(
            (
                key
                for key, d in unmatched.items()
                if _rate(d) == _rate(dropout)
                and _same_values(floor.base[key], value, floor.tolerance(key))
            ),
            None,
        )
        if match is None:
            rest.append((dropout, value))
        else:
            del unmatched[match]
    if not (unmatched or rest) or _same_in_parts(floor, unmatched, rest):
        return []
    return [
        f"Dropout: the model_fn drops {_describe(list(unmatched.values()))} where the port does "
        f"not, the port {_describe([d for d, _ in rest])} where the model_fn does not."
    ]


def _same_values(old: np.ndarray, new: np.ndarray, tolerance: float) -> bool:
    """Returns true if two tensors have the same values, except for order, a factor and a relu."""
    if old.size != new.size:
        return False
    for function in (np.asarray, lambda x: np.maximum(x, 0)):
        old_values, new_values = function(old), function(new)
        sizes = tolerances.size(old_values), tolerances.size(new_values)
        if not min(sizes):
            continue
        difference = tolerances.deviation(
            np.sort(old_values, None) / sizes[0], np.sort(new_values, None) / sizes[1]
        )
        if difference <= 2 * tolerance / sizes[0]:
            return True
    return False


def _same_in_parts(
    floor: tolerances.Floor[str],
    unmatched: dict[str, randomness.Dropout],
    rest: list[tuple[randomness.Dropout, np.ndarray]],
) -> bool:
    """Returns true if one side drops in parts a tensor that the other side drops as a whole."""
    for rate in {_rate(d) for d in (*unmatched.values(), *(d for d, _ in rest))}:
        old = [key for key, d in unmatched.items() if _rate(d) == rate]
        new = [value.ravel() for d, value in rest if _rate(d) == rate]
        if not old or not new:
            return False
        values = np.concatenate([floor.base[key].ravel() for key in old])
        if not _same_values(values, np.concatenate(new), max(floor.tolerance(key) for key in old)):
            return False
    return True


def _describe(dropouts: Sequence[randomness.Dropout]) -> str:
    """Returns text such as "0.3 of hidden/Relu", or "0.3 of a tensor of width 5"."""
    descriptions = [f"{d.rate:g} of {d.where or f'a tensor of width {d.width}'}" for d in dropouts]
    return results.some(descriptions) or "nothing"


def _rate(dropout: randomness.Dropout) -> float:
    assert dropout.rate is not None  # `compare` returns early if a rate is unknown.
    return round(dropout.rate, 6)


def _rates(rates: list[float]) -> str:
    return " and ".join(f"{rate:g}" for rate in rates) or "nothing"
