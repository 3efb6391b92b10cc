"""Reads files as rules would see them under a plan that is not decided yet.

    drafts = Drafts(facts, changeable, rules)
    file = drafts.file("task.py", imported_models={"@model.model_fn": OtherModel("Model")})
    drafts.changes(file)

Nothing is rewritten. A draft asks the rules which changes they would make. All drafts of a file
share its tree.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from migrate.rewrite.engine import files, fixed_point
from migrate.rewrite.engine.parsed_text import ParsedText
from migrate.rewrite.engine.plan import FilePlan
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.program.program_files import FileFacts

# Limit of the characters whose trees are kept. A tree takes about 100 bytes for each.
_MOST_PARSED = 4_000_000


class Function(NamedTuple):
    """A function of a file that other files use. A method's name is "Class.method"."""

    path: str
    name: str


class User(NamedTuple):
    """A file that uses a function of another file, and its name for it.

    The name of a method is that of `Decisions.imported_estimators`.
    """

    path: str
    name: str


class Drafts:
    """The files that are decided together.

    Attributes:
      facts: Facts about each file.
      plans: Plan for each file, with the decisions so far.
    """

    def __init__(
        self, facts: Mapping[str, FileFacts], changeable: Set[str], rules: Sequence[Rule]
    ) -> None:
        """Starts without decisions.

        Args:
          facts: Facts about each file.
          changeable: Files that may be changed. The others are only read.
          rules: Rules that will be applied.
        """
        self.facts = facts
        self.plans = {path: file_facts.plan for path, file_facts in facts.items()}
        self._changeable, self._rules = changeable, rules
        self._texts: dict[str, str] = {}
        self._parsed: collections.OrderedDict[str, ParsedText] = collections.OrderedDict()
        self._findings: dict[str, list[tuple[FilePlan, list[Change]]]] = {}

    def decide(self, path: str, **decisions: Any) -> None:
        """Adds decisions about a file.

        Args:
          path: The file.
          **decisions: Attributes of `Decisions`.
        """
        self.plans[path] = self.plans[path].deciding(**decisions)

    def file(self, path: str, **decisions: Any) -> SourceFile | None:
        """Returns a file as it is, under its plan with more decisions. None if it does not parse.

        Args:
          path: The file.
          **decisions: Attributes of `Decisions`.
        """
        plan = self.plans[path].deciding(**decisions) if decisions else self.plans[path]
        try:
            return SourceFile(self.text(path), path, plan, self._parse(path))
        except (SyntaxError, RecursionError):
            return None

    def _parse(self, path: str) -> ParsedText:
        """Returns a parsed file. Files that were used last are kept."""
        cache = self._parsed
        if path not in cache:
            cache[path] = ParsedText(self.text(path), path)
        cache.move_to_end(path)
        while len(cache) > 1 and sum(len(parsed.text) for parsed in cache.values()) > _MOST_PARSED:
            cache.popitem(last=False)
        return cache[path]

    def changes(self, file: SourceFile | None) -> list[Change]:
        """Returns the changes that rules would make in a file, also those that may alter results.

        Args:
          file: A file from `file`. Without one there are no changes.
        """
        return [change for change in self._all(file) if change.edits]

    def reasons(self, file: SourceFile | None) -> dict[int, str]:
        """Returns the reasons why rules leave calls in a file as they are, by their lines.

        Args:
          file: A file from `file`. Without one there are no reasons.
        """
        return {change.line: change.unsafe for change in self._all(file) if not change.edits}

    def _all(self, file: SourceFile | None) -> list[Change]:
        """Returns the changes and the suggestions of all rules."""
        if file is None or file.path not in self._changeable:
            return []
        cache = self._findings.setdefault(file.path, [])
        for plan, changes in cache:
            if plan == file.plan:
                return changes
        cache.append((file.plan, [change for _, change in fixed_point.changes(file, self._rules)]))
        return cache[-1][1]

    def may_change(self, path: str, rule: str) -> bool:
        """Says whether a rule may change a file.

        Args:
          path: The file.
          rule: Name of the rule.
        """
        return path in self._changeable and any(other.name == rule for other in self._rules)

    def text(self, path: str) -> str:
        """Returns the Python of a file. It is empty if the file cannot be read."""
        if path not in self._texts:
            try:
                self._texts[path] = files.read(path).code
            except files.NotReadable:
                self._texts[path] = ""
        return self._texts[path]

    def replace_text(self, path: str, text: str) -> None:
        """Replaces the text of a file, for a change that the decisions that follow build on.

        Args:
          path: The file.
          text: The new text. The functions that other files use must be the same.
        """
        self._texts[path] = text
        self._parsed.pop(path, None)
        self._findings.pop(path, None)

    def rewritten(self, path: str, rules: Sequence[Rule], **decisions: Any) -> str | None:
        """Returns the text of a file after some rules. None if it stays as it is.

        Args:
          path: The file.
          rules: The rules. Their changes may alter results.
          **decisions: Attributes of `Decisions`.
        """
        file = self.file(path, **decisions)
        if file is None or path not in self._changeable:
            return None
        try:
            outcome = fixed_point.rewrite(
                file.text, rules, unsafe=True, path=path, plan=file.plan, keep_imports=True
            )
        except fixed_point.RuleError:
            return None
        return outcome.text if outcome.text != file.text else None

    def is_changeable(self, path: str) -> bool:
        """Says whether a file may be changed."""
        return path in self._changeable

    @functools.cached_property
    def users(self) -> dict[Function, list[User]]:
        """The functions that other files name, with those files and their names for it."""
        by_function: dict[Function, list[User]] = {}
        for path, file_facts in self.facts.items():
            for name, (defining_path, function) in file_facts.defined_names.items():
                by_function.setdefault(Function(defining_path, function), []).append(
                    User(path, name)
                )
        return by_function
