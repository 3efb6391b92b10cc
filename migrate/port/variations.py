"""Further runs of the unmodified program, which show how precisely its results are determined.

    variations = Variations(steps, run, say)
    comparison = variations.compare_legacy(before, after)

A repetition shows whether the program repeats its own results. A run from weights that differ by a
millionth shows how far rounding moves them. They run only if a rewritten program differs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Set
from typing import Any

from migrate import same_run
from migrate.port import comparison
from migrate.port.comparison import Comparison
from migrate.port.steps import Steps
from migrate.same_run import allowances
from migrate.same_run import comparison as same_run_comparison

# One run may differ by chance where another one does not. The movement of a variable with one value
# varies most from run to run.
_REPETITIONS, _NUDGED_RUNS = 3, 3
_REPETITION, _NUDGED = "1-again", "1-nudged"
Rates = tuple[Set[float], Set[float]]


class Variations:
    """Further runs of the unmodified program.

    Args:
      steps: Steps of the port.
      run: Function that runs the unmodified program. Its arguments are the folder, the relative
        size of changes of the weights, and a seed for them. A size of 0 leaves the weights to the
        program.
      say: Prints a line of progress.

    Attributes:
      difference: First difference between two runs of the unmodified program, or "".
    """

    def __init__(
        self,
        steps: Steps,
        run: Callable[[str, float, int], same_run.Recording],
        say: Callable[[str], None],
    ) -> None:
        self._steps, self._run, self._say = steps, run, say
        self._repetitions: list[same_run.Recording] = []
        self._nudged: list[same_run.Recording] = []
        self.difference = ""

    @property
    def repetitions(self) -> int:
        """Number of repetitions that `compare_legacy` needed."""
        return len(self._repetitions)

    def load(self, before: same_run.Recording, repetitions: int) -> None:
        """Reads the repetitions of an earlier `compare_legacy`.

        Args:
          before: Recording of the unmodified program.
          repetitions: Number of repetitions.
        """
        while self.repetitions < repetitions and self._repeat(before):
            pass

    def compare_legacy(
        self, before: same_run.Recording, after: same_run.Recording, rates: Rates
    ) -> Comparison:
        """Compares a program that was rewritten to legacy.

        Args:
          before: Recording of the unmodified program.
          after: Recording of the rewritten program.
          rates: Dropout rates of both.
        """
        strict = comparison.compare(before, after, rates)
        if strict.verdict != same_run_comparison.DIFFERENT:
            return strict
        for _ in range(_REPETITIONS):
            if not self._repeat(before):
                return strict
            result = self._compare(before, after, rates)
            if result.verdict != same_run_comparison.DIFFERENT:
                return result
        return strict

    def compare_modern(
        self, before: same_run.Recording, after: same_run.Recording, rates: Rates
    ) -> Comparison:
        """Compares a program that was rewritten to modern.

        Args:
          before: Recording of the unmodified program.
          after: Recording of the rewritten program.
          rates: Dropout rates of both.
        """
        strict = last = comparison.compare(before, after, rates)
        if strict.verdict != same_run_comparison.DIFFERENT:
            return strict
        for number in range(1, _NUDGED_RUNS + 1):
            if len(self._nudged) < number and not self._nudge(number):
                return strict
            result = self._compare(before, after, rates)
            if result.verdict != same_run_comparison.DIFFERENT:
                return result
            if number == len(self._nudged) and len(result.lines) >= len(last.lines):
                return strict  # Rounding explains none of the differences.
        # If all differ, the differences without allowances are more informative.
        return strict

    def _compare(
        self, before: same_run.Recording, after: same_run.Recording, rates: Rates
    ) -> Comparison:
        cause = same_run_comparison.ROUNDING
        if self._repetitions:
            cause = same_run_comparison.REPEATING
        return comparison.compare(before, after, rates, [*self._repetitions, *self._nudged], cause)

    def _repeat(self, before: same_run.Recording) -> bool:
        """Repeats the unmodified program. Returns False if it repeats its results."""
        name = "unmodified once more"
        recording = self._variation(_REPETITION, name, self.repetitions + 1, 0.0)
        if recording is None:
            return False
        result = comparison.compare(before, recording)
        if result.verdict != same_run_comparison.DIFFERENT and not self._repetitions:
            return False
        self._repetitions.append(recording)
        self.difference = self.difference or result.lines[0]
        return True

    def _nudge(self, number: int) -> bool:
        """Runs the unmodified program from slightly other weights. Returns False if it fails."""
        name = "unmodified from slightly other weights"
        recording = self._variation(_NUDGED, name, number, allowances.NUDGE)
        if recording is not None:
            self._nudged.append(recording)
        return recording is not None

    def _variation(
        self, step: str, name: str, number: int, nudge: float
    ) -> same_run.Recording | None:
        """Returns the recording of a step, or None if the program failed."""

        def make(folder: str) -> dict[str, Any]:
            start = time.monotonic()
            recording = self._run(folder, nudge, number - 1)
            return {"seconds": time.monotonic() - start, "exit_code": recording.exit_code}

        step_name = step if number == 1 else f"{step}-{number}"
        result, folder, is_recorded = self._steps.once(step_name, make)
        if not is_recorded:
            self._say(f"{name} ({result['seconds']:.0f} s)")
        if result["exit_code"] != 0:
            return None
        return same_run.Recording.load(os.path.join(folder, "record"))
