"""Decides about functions of one file that only print, log or write summaries for another.

    decide(drafts)

A Keras model leaves out calls of these functions. For example, `model.py` calls `layer_summary` of
`utils.py`.
"""

from __future__ import annotations

import re

from migrate.rewrite.model_fns.analysis import checks, shape
from migrate.rewrite.program.drafts import Drafts

_SHOWS = re.compile(r"\b(summary|logging|print)\b")
_TRAINS = re.compile(r"EstimatorSpec\b|\bcreate_estimator_spec\b")


def decide(drafts: Drafts) -> None:
    """Decides which functions of other files a model_fn may do without.

    Args:
      drafts: The files. Gets the decisions.
    """
    silent: dict[tuple[str, str], bool] = {}
    for path, facts in drafts.facts.items():
        if not _TRAINS.search(drafts.text(path)):
            continue
        names = set()
        for name, place in facts.defined_names.items():
            if place not in silent:
                silent[place] = _is_silent(drafts, *place)
            if silent[place]:
                names.add(name)
        if names:
            drafts.decide(path, silent_functions=frozenset(names))


def _is_silent(drafts: Drafts, path: str, function: str) -> bool:
    """Says whether a function only prints, logs or writes summaries."""
    if path not in drafts.facts or not _SHOWS.search(drafts.text(path)):
        return False
    file = drafts.file(path)
    if file is None or f"@{function}" in file.plan.changed_elsewhere:
        return False
    return checks.only_shows(file, function, shape.SILENT)
