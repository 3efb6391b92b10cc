r"""Applies rules to a text until no rule finds a change.

>>> from migrate.rewrite import rules
>>> text = "import tensorflow as tf\nx = tf.to_float([1])\n"
>>> print(rewrite(text, rules.all_rules("modern")).text, end="")
import tensorflow as tf
x = tf.cast([1], tf.float32)

Each pass makes the changes that do not overlap, the innermost first. The next pass parses the new
text again and finds the rest. So the result is complete: a second run changes nothing.
"""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from migrate.rewrite.engine import imports, new_names
from migrate.rewrite.engine.plan import FilePlan
from migrate.rewrite.engine.rule import Change, Check, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile

_PASSES = 40  # Each level of nested calls takes a pass, and programs nest less deeply than this.


# Lines added before each changed line, by pass.
Passes = Sequence[Sequence[tuple[int, int]]]


class ChangeRecord(NamedTuple):
    """A change that a rule made, or a suggestion.

    Attributes:
      rule: The rule.
      line: Line in the original text, from 1.
      reason: Reason why results may differ, or "" for a safe change.
      applicable: Whether --unsafe makes it.
      check: The comparison that `migrate verify` should make after it.
      needed: Whether the program stays on tf_keras without it.
    """

    rule: Rule
    line: int
    reason: str
    applicable: bool
    check: Check | None = None
    needed: bool = False


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of rewriting a text.

    Attributes:
      text: The new text.
      changes: Changes that were made.
      suggestions: Changes that were not made, because they may alter results.
      file: The file with the new text.
      passes: Lines added in each pass, for rules that are applied afterwards.
    """

    text: str
    changes: tuple[ChangeRecord, ...]
    suggestions: tuple[ChangeRecord, ...]
    file: SourceFile
    passes: Passes = ()


class RuleError(Exception):
    """Raised if a rule writes invalid Python, gives a name two meanings, or never ends."""


def rewrite(
    text: str,
    rules: Sequence[Rule],
    *,
    unsafe: bool = False,
    path: str = "<text>",
    plan: FilePlan | None = None,
    keep_imports: bool = False,
    passes_before: Passes = (),
) -> Outcome:
    """Rewrites a text.

    Args:
      text: Text of a file.
      rules: Rules to apply.
      unsafe: Also make the changes that may alter results.
      path: Name of the file, for messages.
      plan: Plan for the file. Default: that of a program of one file.
      keep_imports: Keep imports that become unused, because other files may use them.
      passes_before: `Outcome.passes` of the rules that were applied before. Lines are then those of
        their original text.

    Returns:
      The new text, and the changes that were and were not made.

    Raises:
      SyntaxError: The text is not Python of this version.
      RuleError: A rule is wrong.
    """
    records: list[ChangeRecord] = []
    passes = [*passes_before]
    original = file = SourceFile(text, path, plan)
    for _ in range(_PASSES):
        rule_changes = changes(file, rules)
        candidates = [
            (rule, change)
            for rule, change in rule_changes
            if change.edits and (unsafe or not change.unsafe)
        ]
        candidates = [pair for pair in candidates if not pair[1].is_last] or candidates
        if any(_is_missing(change, unsafe) for _, change in rule_changes):
            candidates = [pair for pair in candidates if not (pair[1].is_last and pair[1].needed)]
        if not candidates:
            removals = (
                set(imports.unused_imports(original, file))
                if records and not keep_imports
                else None
            )
            if not removals:
                break
            file, lines = _apply(file, removals)  # Rules that look at imports may match now.
            passes.append(lines)
            continue
        compatible = _compatible(candidates)
        records += [_record(rule, change, passes) for rule, change in compatible]
        edits = {edit for _, change in compatible for edit in change.edits}
        edits.update(imports.new_imports(file, [i for _, c in compatible for i in c.imports]))
        file, lines = _apply(file, edits)
        passes.append(lines)
    else:
        raise RuleError(
            f"{path}: rules undo each other: {sorted({m.rule.name for m in records[-9:]})}"
        )
    if records and (late_imports := imports.top_imports(original, file)):
        file, lines = _apply(file, late_imports)
        passes.append(lines)
    try:
        if file is not original:
            new_names.check(original.tree, file.tree)
    except new_names.NameClash as error:
        raise RuleError(f"{path}: {error}") from error
    unsure = [_record(rule, change, passes) for rule, change in rule_changes if change.unsafe]
    unsure.sort(key=lambda record: record.line)
    suggested = tuple(
        {(record.line, record.rule.name, record.reason): record for record in unsure}.values()
    )
    return Outcome(file.text, tuple(records), suggested, file, passes)


def _is_missing(change: Change, unsafe: bool) -> bool:
    """Says whether a change is not made, although the program stays on tf_keras without it."""
    return change.needed and (not change.edits or bool(change.unsafe and not unsafe))


def changes(file: SourceFile, rules: Sequence[Rule]) -> list[tuple[Rule, Change]]:
    """Returns the changes and suggestions that rules find in a file, without making them.

    Args:
      file: The file.
      rules: The rules.
    """
    return _without_fallbacks(
        [
            (rule, change)
            for rule in rules
            for change in rule.find(file)
            if not file.ignores(rule, change.line)
        ]
    )


def _without_fallbacks(pairs: Sequence[tuple[Rule, Change]]) -> list[tuple[Rule, Change]]:
    """Drops changes of fallback rules (`Rule.instead_of`), and suggestions that would repeat."""
    exclusions: set[tuple[str, int, str | None]] = set()
    for rule, change in pairs:
        for name in rule.instead_of:
            exclusions.add((name, change.line, None if change.edits else change.unsafe))
    return [
        (rule, change)
        for rule, change in pairs
        if not exclusions
        & {(rule.name, change.line, None), (rule.name, change.line, change.unsafe)}
    ]


def _compatible(pairs: Iterable[tuple[Rule, Change]]) -> list[tuple[Rule, Change]]:
    """Chooses changes that do not overlap, the smallest first."""
    edited_spans: list[tuple[int, int]] = []
    compatible = []
    for rule, change in sorted(pairs, key=_size):
        spans = [(edit.start, edit.end) for edit in change.edits]
        if any(_meets(edited_spans, span) for span in spans):
            continue
        for span in spans:
            bisect.insort(edited_spans, span)
        compatible.append((rule, change))
    return sorted(compatible, key=lambda pair: pair[1].line)


def _size(pair: tuple[Rule, Change]) -> tuple[int, int]:
    edits = pair[1].edits
    return max(edit.end for edit in edits) - min(edit.start for edit in edits), edits[0].start


def _meets(spans: list[tuple[int, int]], span: tuple[int, int]) -> bool:
    """Says whether a span overlaps one of the taken spans."""
    start, end = span
    at = bisect.bisect_left(spans, span)
    if at < len(spans) and (spans[at][0] < end or spans[at] == span):
        return True
    return at > 0 and spans[at - 1][1] > start


def _apply(file: SourceFile, edits: Iterable[Edit]) -> tuple[SourceFile, list[tuple[int, int]]]:
    """Returns the edited file, and the number of lines added before each changed line."""
    parts, at, lines, shift = [], 0, [], 0
    for edit in sorted(edits):
        old = file.text[edit.start : edit.end]
        text = edit.text
        # New text gets the line ends of the file.
        if file.newline != "\n":
            text = text.replace(file.newline, "\n").replace("\n", file.newline)
        parts += [file.text[at : edit.start], text]
        at = edit.end
        growth = text.count("\n") - old.count("\n")
        if growth:
            shift += growth
            lines.append((file.line_of(edit.end) + shift, shift))
    text = "".join([*parts, file.text[at:]])
    try:
        return SourceFile(text, file.path, file.plan), lines
    except SyntaxError as error:
        line = (error.text or "").strip()
        raise RuleError(f"{file.path}: a rule produced invalid Python: {line!r}") from error


def _record(rule: Rule, change: Change, passes: Passes) -> ChangeRecord:
    line = change.line
    # The line of a later pass is mapped back to the original text, one pass at a time.
    for lines in reversed(passes):
        line -= next((shift for at, shift in reversed(lines) if at <= line), 0)
    is_possible = bool(change.edits)
    return ChangeRecord(rule, line, change.unsafe, is_possible, change.check, change.needed)
