"""Pairs the evaluations during the training of an Experiment, whose number depends on the clock.

    before, after, sentence = paired(before, after)

An Experiment evaluates the latest checkpoint every N steps, unless the last check is less than five
seconds ago. So a slower machine evaluates other checkpoints, or one of them twice. The evaluation
after the training is always compared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import numpy as np

from migrate.same_run.recording import Recording

_Key = tuple[str, int]


def paired(before: Recording, after: Recording) -> tuple[Recording, Recording, str]:
    """Returns two recordings without the evaluations that the clock gave to only one of them.

    Args:
      before: Recording of a program. If it runs no Experiment, nothing is left out.
      after: Recording of the same program or of its rewritten form.

    Returns:
      The recordings, and a sentence on the evaluations that were left out, or "".
    """
    if not before.runs_experiments:
        return before, after, ""
    single = [_without_repeats(run) for run in (before, after)]
    keys = [{*map(_key, run.evaluation_dirs, run.evaluations)} for run in single]
    pair = [_only(run, others) for run, others in zip(single, reversed(keys), strict=True)]
    steps = sorted(
        _key(*evaluation)[1]
        for run, kept in zip(single, pair, strict=True)
        for number, evaluation in enumerate(zip(run.evaluation_dirs, run.evaluations, strict=True))
        if number in run.evaluations_in_training and _key(*evaluation) not in _keys(kept)
    )
    sentence = (
        "The clock decides which checkpoints an Experiment evaluates during the training. Only one "
        f"of the runs evaluated step {', '.join(map(str, steps))}"
        if steps
        else ""
    )
    return pair[0], pair[1], sentence


def _keys(run: Recording) -> set[_Key]:
    return {*map(_key, run.evaluation_dirs, run.evaluations)}


def _key(model_dir: str, metrics: object) -> _Key:
    step = metrics.get("global_step") if hasattr(metrics, "get") else None
    return model_dir, -1 if step is None else int(step)


def _without_repeats(run: Recording) -> Recording:
    """Leaves out each evaluation in a training that the next one repeats with equal values."""
    keep = []
    for number, metrics in enumerate(run.evaluations):
        is_repeated = (
            number in run.evaluations_in_training
            and number + 1 < len(run.evaluations)
            and run.evaluation_dirs[number] == run.evaluation_dirs[number + 1]
            and _are_equal(metrics, run.evaluations[number + 1])
        )
        keep += [] if is_repeated else [number]
    return _of_numbers(run, keep)


def _are_equal(metrics: object, others: object) -> bool:
    if not isinstance(metrics, dict) or not isinstance(others, dict) or set(metrics) != set(others):
        return False
    return all(np.array_equal(value, others[name]) for name, value in metrics.items())


def _only(run: Recording, keys: Collection[_Key]) -> Recording:
    """Leaves out each evaluation in a training whose step the other run did not evaluate."""
    pairs = zip(run.evaluation_dirs, run.evaluations, strict=True)
    return _of_numbers(
        run,
        [
            number
            for number, evaluation in enumerate(pairs)
            if number not in run.evaluations_in_training or _key(*evaluation) in keys
        ],
    )


def _of_numbers(run: Recording, numbers: list[int]) -> Recording:
    """Returns a recording with only some of its evaluations."""
    return dataclasses.replace(
        run,
        evaluations=tuple(run.evaluations[number] for number in numbers),
        evaluation_dirs=tuple(run.evaluation_dirs[number] for number in numbers),
        evaluations_in_training=frozenset(
            at for at, number in enumerate(numbers) if number in run.evaluations_in_training
        ),
    )
