"""Turns the statements that compute a learning rate from the step into a function.

rate = Rate(file, model_fn, rendered, schedule)
name, lines = rate.text(statements, node)

For example, a rate with a warm-up becomes `def learning_rate(global_step)`, which
`porting.Schedule` calls in each step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from migrate.rewrite.analysis.optimizer_calls import DECAYS, STEPS
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.rendering import Rendered

_DECAYS = tuple(f"tf.train.{name}" for name in DECAYS)
_STEP = "global_step"
# Names of the function. The first one is free in most model_fns.
_NAMES = ("learning_rate", "rate_of_step", "schedule")


def _parts(statements: Sequence[ast.stmt], node: ast.expr) -> list[ast.AST]:
    """Returns the statements that a rate depends on, and the rate."""
    return [*slices.needed(statements, slices.read(node)), node]


def step_calls(
    file: SourceFile, statements: Sequence[ast.stmt], node: ast.expr
) -> Iterator[ast.Call]:
    """Yields the calls that return the global step for a learning rate.

    Args:
      file: The file.
      statements: Statements of the training, in order.
      node: The rate.
    """
    for part in _parts(statements, node):
        for match in checks.names_in(file, part):
            if match.name in STEPS and match.call is not None:
                yield match.call


class Rate:
    """A learning rate that a function computes."""

    def __init__(
        self,
        file: SourceFile,
        function: ast.FunctionDef,
        rendered: Rendered,
        schedule: Callable[[ast.Call], tuple[str, list[ast.expr]]],
    ) -> None:
        """Starts with a model_fn.

        Args:
          file: The file.
          function: The model_fn.
          rendered: Texts of the nodes that are replaced.
          schedule: Returns the Keras schedule for a decay of tf.train.
        """
        self._file, self._function, self._rendered = file, function, rendered
        self._schedule = schedule

    def text(self, training: Sequence[ast.stmt], node: ast.expr) -> tuple[str, list[str]]:
        """Returns the name of the function, and its lines without an indent.

        Args:
          training: Statements of the training, in order.
          node: The rate.

        Raises:
          NotUnderstood: The rate depends on more than the step and the params.
        """
        parts = _parts(training, node)
        replaced_ids: set[int] = set()
        for call in step_calls(self._file, training, node):
            self._rendered.replace(call, _STEP)
            replaced_ids.update(id(part) for part in ast.walk(call))
        decays = [
            match.call
            for part in parts
            for match in checks.names_in(self._file, part)
            if match.name in _DECAYS and match.call is not None
        ]
        # Inner calls end first. The texts of outer calls contain their replacements.
        for call in sorted(decays, key=lambda decay: self._file.span(decay)[1]):
            text, _ = self._schedule(call)
            self._rendered.replace(call, f"{text}({_STEP})")
            replaced_ids.add(id(call.func))
        local = slices.bound_inside(self._function) | {"features", "labels", "mode"}
        statements = [decay for decay in parts if isinstance(decay, ast.stmt)]
        open_names = slices.open_names(statements, [node])
        unknown = open_names & local - {"params"}
        if unknown:
            raise NotUnderstood(f"its learning rate depends on {sorted(unknown)[0]}")
        for part in parts:
            checks.refuse(self._file, part, local, replaced_ids)
        # The builder of a model_fn often has a parameter with the usual name.
        name = next(name for name in _NAMES if name not in open_names)
        lines = [f"def {name}({_STEP}):"]
        bound_names = [name for part in statements for name in slices.bound(part)]
        if _STEP in bound_names and not _is_only_step(self._file, statements):
            raise NotUnderstood(f"its {_STEP} changes before the learning rate is computed")
        for statement in statements:
            text = self._rendered.statement(statement, "    ")
            if text.strip() != f"{_STEP} = {_STEP}":
                lines += text.splitlines()
        return name, [*lines, f"    return {self._rendered.text(node)}"]


def _is_only_step(file: SourceFile, statements: list[ast.stmt]) -> bool:
    """Says whether all assignments to the name of the step assign the step."""
    for statement in statements:
        if _STEP in slices.bound(statement):
            value = statement.value if isinstance(statement, ast.Assign) else None
            function = file.name_of(value.func) if isinstance(value, ast.Call) else None
            if function not in STEPS:
                return False
    return True
