"""Finds evaluations that no longer log a line for which a script may search.

    lost_lines.of(plan, "job.evaluate(input_fn)", rewritten_file)

A rewritten training logs `loss = ` as before (modern/porting/training/log_lines.py). Keras'
`evaluate` returns its results, and logs nothing.
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite.engine.plan import FilePlan
from migrate.rewrite.engine.source_file import SourceFile

MESSAGE = (
    "log: evaluate of a Keras model does not log 'Saving dict for global step': print its results "
    "if a script searches for that line"
)
_SETS_LEVEL = "tf.logging.set_verbosity"
_EVALUATES = re.compile(r"\.evaluate\(")


def of(plan: FilePlan, before: str, after: SourceFile) -> list[int]:
    """Returns the lines of the evaluations in the original text, from 1.

    Args:
      plan: Plan for the file. If its program never sets the level of the log, nothing was logged.
      before: The original text.
      after: The rewritten file.
    """
    is_logged = plan.program.uses(_sets_level)
    if not is_logged or after.text == before or not _calls_keras(after.tree):
        return []
    if _calls_keras(ast.parse(before)):
        return []  # It called Keras before.
    return [before.count("\n", 0, match.start()) + 1 for match in _EVALUATES.finditer(before)]


def _sets_level(name: str) -> bool:
    return name == _SETS_LEVEL


def _calls_keras(tree: ast.Module) -> bool:
    """Says whether a file calls `evaluate` with an argument that only Keras has."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "evaluate"
        and any(keyword.arg == "verbose" for keyword in node.keywords)
        for node in ast.walk(tree)
    )
