r"""The end of a run's messages: counts of the changes, and the check to run next.

    counts = Counts()
    counts.add(result)
    print(*counts.lines("write"), sep="\n", file=sys.stderr)

A run that made unsafe changes ends with a command that shows whether results stay the same.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING

from migrate.rewrite.engine.rule import Check

if TYPE_CHECKING:
    from migrate.rewrite.program.run import Result

_BEFORE = "_before"


@dataclasses.dataclass
class Counts:
    """Counts of the files and changes of a run.

    Attributes:
      rewritten: Number of files with a new text.
      unchanged: Number of files that stay the same.
      failed: Number of files that could not be rewritten.
      safe: Number of changes that keep all results.
      unsafe: Number of changes that may alter results.
      suggested: Number of changes that were not made.
      checks: Path and check of each generated model.
      altered: Paths of the files with unsafe changes.
    """

    rewritten: int = 0
    unchanged: int = 0
    failed: int = 0
    safe: int = 0
    unsafe: int = 0
    suggested: int = 0
    checks: list[tuple[str, Check]] = dataclasses.field(default_factory=list)
    altered: list[str] = dataclasses.field(default_factory=list)

    def add(self, result: Result) -> None:
        """Counts a file.

        Args:
          result: Result of rewriting it.
        """
        if result.error:
            self.failed += 1
            return
        self.rewritten += result.is_rewritten
        self.unchanged += not result.is_rewritten
        self.suggested += len(result.suggestions)
        self.unsafe += len(result.unsafe)
        self.safe += result.changes - len(result.unsafe)
        self.checks += [(result.path, check) for check in dict.fromkeys(result.checks)]
        self.altered += [result.path] if result.unsafe else []

    def lines(self, mode: str) -> list[str]:
        """Returns the counts, and the checks to run next if there were unsafe changes.

        Args:
          mode: "diff", "check" or "write".
        """
        verb = "rewritten" if mode == "write" else "to be rewritten"
        total = self.rewritten + self.unchanged + self.failed
        counted = (
            f"{_number(total, 'file')}: {self.rewritten} {verb}, {self.unchanged} unchanged, "
            f"{self.failed} failed; {_number(self.safe, 'safe change')}, "
            f"{_number(self.unsafe, 'unsafe change')}, {_number(self.suggested, 'suggestion')}"
        )
        return [counted, *self._next()]

    def _next(self) -> list[str]:
        if not self.altered:
            return []
        checks = [(p, check) for p, check in self.checks if p.endswith(".py")]
        if not checks:
            return [
                "check next, before and after on the same data: python -m legacy.run "
                f"{_copy(self.altered[0])} ARGS; python {self.altered[0]} ARGS "
                f"({_copy(self.altered[0])}: a copy of the original file)"
            ]
        return [_command(path, check) for path, check in checks]


def _command(path: str, check: Check) -> str:
    """Returns the command that compares a model_fn with the class that it became."""
    folder = os.path.dirname(path)
    name = os.path.basename(path).removesuffix(".py")
    options = " --params=PARAMS" if check.takes_params else ""
    options += " --keras=3" if check.keras == 3 else ""
    return (
        f"check next{f', in {folder}' if folder else ''}: python -m migrate verify "
        f"--legacy={name}{_BEFORE}:{check.model_fn} --modern={name}:{check.model} "
        f"--input={name}:{check.input_fn}{options} "
        f"({name}{_BEFORE}.py: a copy of the original file)"
    )


def _copy(path: str) -> str:
    stem, end = os.path.splitext(path)
    return f"{stem}{_BEFORE}{end}"


def _number(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
