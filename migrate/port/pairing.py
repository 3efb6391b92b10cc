"""Pairs the folders of Estimators that have no name of their own, or one with the time in it.

pairing.pairs(before, after)  # {"unnamed/2": "unnamed/1", "run-1795520000": "run-1795519000"}

An Estimator without `model_dir` gets a folder when it is created, and the model that replaces it
when it trains first. So the folders are paired by the order in which they train first. So are
folders whose names differ only in digits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from migrate.port.in_program import carried, folders
from migrate.same_run import Recording


def pairs(before: Recording, after: Recording) -> dict[str, str]:
    """Returns the folder in the recorded run for each folder of another run with another name.

    Args:
      before: The recorded run.
      after: Run of a rewritten program.
    """
    news, olds = _in_order(after), _in_order(before)
    is_unnamed = f"{folders.UNNAMED}/"
    sides = ([one for one in names if one.startswith(is_unnamed)] for names in (news, olds))
    found = dict(zip(*sides, strict=False))
    left = [one for one in olds if one not in news]
    for new in news:
        wanted = carried.without_digits(new)
        alike = [one for one in left if carried.without_digits(one) == wanted]
        if new not in olds and new not in found and alike:
            left.remove(alike[0])
            found[new] = alike[0]
    return found


def renamed(after: Recording, names: Mapping[str, str]) -> Recording:
    """Returns a recording with the folders of another run.

    Args:
      after: The recording.
      names: Result of `pairs`.
    """

    def of(name: str) -> str:
        return names.get(name, name)

    return dataclasses.replace(
        after,
        trainings=tuple(
            dataclasses.replace(one, model_dir=of(one.model_dir)) for one in after.trainings
        ),
        evaluated=tuple(map(of, after.evaluated)),
        predictions=tuple(
            dataclasses.replace(one, model_dir=of(one.model_dir)) for one in after.predictions
        ),
        checkpoints={of(name): one for name, one in after.checkpoints.items()},
        first_checkpoints={of(name): one for name, one in after.first_checkpoints.items()},
    )


def _in_order(run: Recording) -> list[str]:
    """Returns the folders of a run in the order of their first use."""
    used = [
        *(one.model_dir for one in run.trainings),
        *run.evaluated,
        *(one.model_dir for one in run.predictions),
    ]
    return [*dict.fromkeys(used)]
