"""Pairs the folders of Estimators that have none of their own.

pairing.unnamed(before, after)  # {"unnamed/2": "unnamed/1"}

An Estimator without `model_dir` gets a folder when it is created, and the model that replaces it
when it trains first. So the folders are paired by the order in which they train first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from migrate.port.in_program import folders
from migrate.same_run import Recording


def unnamed(before: Recording, after: Recording) -> dict[str, str]:
    """Returns the folder in the recorded run for each unnamed folder of another run.

    Args:
      before: The recorded run.
      after: Run of a rewritten program.
    """
    return dict(zip(_in_order(after), _in_order(before), strict=False))


def renamed(after: Recording, names: Mapping[str, str]) -> Recording:
    """Returns a recording with the folders of another run.

    Args:
      after: The recording.
      names: Result of `unnamed`.
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
    """Returns the unnamed folders of a run in the order of their first use."""
    used = [
        *(one.model_dir for one in run.trainings),
        *run.evaluated,
        *(one.model_dir for one in run.predictions),
    ]
    return [one for one in dict.fromkeys(used) if one.startswith(f"{folders.UNNAMED}/")]
