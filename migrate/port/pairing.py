"""Pairs folders of Estimators whose names differ between runs: unnamed, or with the time in them.

pairing.pairs(before, after)  # {"unnamed/2": "unnamed/1", "run-1795520000": "run-1795519000"}

Exports below such a folder, or with the time in the name of their own, are paired as well.

An Estimator without `model_dir` gets a folder when it is created, and the model that replaces it
when it trains first. So the folders are paired by the order in which they train first. So are
folders whose names differ only in digits.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping

from migrate.port.in_program import folders, initial_weights
from migrate.same_run import Recording, running


def pairs(before: Recording, after: Recording) -> dict[str, str]:
    """Returns the folder of the recorded run for each folder that another run names differently.

    Args:
      before: The recorded run.
      after: Run of a rewritten program.
    """
    new_names, old_names = _in_order(after), _in_order(before)
    prefix = f"{folders.UNNAMED}/"
    sides = (
        [name for name in names if name.startswith(prefix)] for names in (new_names, old_names)
    )
    old_by_new = dict(zip(*sides, strict=False))
    candidates = [name for name in old_names if name not in new_names]
    for new in new_names:
        pattern = initial_weights.without_digits(new)
        matches = [name for name in candidates if initial_weights.without_digits(name) == pattern]
        if new not in old_names and new not in old_by_new and matches:
            candidates.remove(matches[0])
            old_by_new[new] = matches[0]
    return old_by_new


def renamed(before: Recording, after: Recording) -> Recording:
    """Returns a recording in which all folders have their names from another run.

    Args:
      before: The recorded run.
      after: Another run.
    """
    after = rename_folders(after, pairs(before, after))
    names = _timed_exports(before, after)
    exports = {names.get(name, name): path for name, path in after.exports.items()}
    return dataclasses.replace(after, exports=exports)


def rename_folders(after: Recording, names: Mapping[str, str]) -> Recording:
    """Returns a recording in which the folders have their names from another run.

    Args:
      after: The recording.
      names: Result of `pairs`.
    """

    def old_name(name: str) -> str:
        return names.get(name, name)

    return dataclasses.replace(
        after,
        trainings=tuple(
            dataclasses.replace(training, model_dir=old_name(training.model_dir))
            for training in after.trainings
        ),
        evaluation_dirs=tuple(map(old_name, after.evaluation_dirs)),
        predictions=tuple(
            dataclasses.replace(call, model_dir=old_name(call.model_dir))
            for call in after.predictions
        ),
        exports={_moved(name, names): path for name, path in after.exports.items()},
        checkpoints={old_name(name): checkpoint for name, checkpoint in after.checkpoints.items()},
        first_checkpoints={
            old_name(name): prefix for name, prefix in after.first_checkpoints.items()
        },
    )


def _moved(path: str, names: Mapping[str, str]) -> str:
    """Returns the path of an export after its model's folder, the innermost one, is renamed."""
    parts = path.split("/")
    for count in range(len(parts), 0, -1):
        folder = "/".join(parts[:count])
        if folder in names:
            return "/".join([names[folder], *parts[count:]])
    return path


def _timed_exports(before: Recording, after: Recording) -> dict[str, str]:
    """Returns the name in the recorded run of each export whose folder differs only in digits."""
    names: dict[str, str] = {}
    candidates = [name for name in before.exports if name not in after.exports]
    for new in after.exports:
        pattern = initial_weights.without_digits(new)
        matches = [name for name in candidates if initial_weights.without_digits(name) == pattern]
        if (place := os.path.basename(new)).startswith(running.EXPORT):
            # They are counted. So `export 2` is no other time of `export 1`.
            matches = [name for name in matches if os.path.basename(name) == place]
        if new not in before.exports and matches:
            candidates.remove(matches[0])
            names[new] = matches[0]
    return names


def _in_order(run: Recording) -> list[str]:
    """Returns the folders of a run in the order of their first use."""
    model_dirs = [
        *(training.model_dir for training in run.trainings),
        *run.evaluation_dirs,
        *(call.model_dir for call in run.predictions),
    ]
    return [*dict.fromkeys(model_dirs)]
