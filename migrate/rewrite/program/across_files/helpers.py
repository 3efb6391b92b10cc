"""Decides about functions of one file that the model_fns of another call.

    decide(drafts)

A Keras model contains the statements of these functions, or calls them. For example, the model_fn
of `task.py` calls `compute_loss` of `losses.py`.
"""

from __future__ import annotations

import re

from migrate.rewrite.engine.plan import OtherFunction
from migrate.rewrite.program.drafts import Drafts

_TRAINS = re.compile(r"EstimatorSpec\b|\bcreate_estimator_spec\b")


def decide(drafts: Drafts) -> None:
    """Decides which functions of other files a model_fn may contain.

    Args:
      drafts: The files. Gets the decisions.
    """
    for path, facts in drafts.facts.items():
        if not _TRAINS.search(drafts.text(path)):
            continue
        functions = {}
        for name, (other_path, function) in facts.defined_names.items():
            if other_path not in drafts.facts or not other_path.endswith(".py"):
                continue
            is_direct = facts.imported_names[name] == (other_path, function)
            functions[name] = OtherFunction(
                other_path, drafts.text(other_path), drafts.plans[other_path], function, is_direct
            )
        if functions:
            drafts.decide(path, helpers=functions)
