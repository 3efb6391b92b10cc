"""The rewriting rules. Each is a file in a folder, and is known by its name.

>>> [rule.name for rule in all_rules("legacy")][:2]
['array_numbers', 'flags']

Files in reading order:
legacy          rewrites imports and names, for --to=legacy
modern          rewrites to Keras, tf.data and tf.distribute, for --to=modern
keras3          rewrites tf_keras to Keras 3, for --to=modern --keras=3
examples        reads the examples of the rules
page            generates the list of rules in docs/rules.md
bridged_models  writes the bridged model that keeps the model_fn
warm_started    finds Estimators that need another Estimator's checkpoint
graph_names     finds the names for which a program keeps the graphs of TensorFlow 1
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Sequence

from migrate.rewrite.engine.rule import Rule

DIRECTIONS = ("legacy", "modern", "keras3")


@functools.lru_cache(maxsize=len(DIRECTIONS))
def all_rules(to: str) -> Sequence[Rule]:
    """Returns the rules of a direction, sorted by name. Imports neither LibCST nor TensorFlow.

    Args:
      to: One of `DIRECTIONS`.

    Raises:
      ValueError: The direction does not exist.
    """
    if to not in DIRECTIONS:
        raise ValueError(f"to={to!r}: use one of {', '.join(DIRECTIONS)}.")
    folder = os.path.join(os.path.dirname(__file__), to)
    names = sorted(
        file.removesuffix(".py")
        for file in os.listdir(folder)
        if file.endswith(".py") and not file.startswith("_")
    )
    return tuple(importlib.import_module(f"{__name__}.{to}.{name}").RULE for name in names)
