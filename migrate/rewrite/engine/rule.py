"""The definition of a rewriting rule: cheap metadata, and a function that finds changes.

A rule is a module below `migrate.rewrite.rules.legacy`, `.modern` or `.keras3` with a `RULE`:

    def _find(file: SourceFile) -> Iterator[Change]:
        for match in file.matches(RULE):
            yield file.replacement(match.node, "tf.cast")

    RULE = Rule(__name__, _find, message="...", source="https://...", recipe="...", ...)

Its name is that of its file. Its examples are files, which `rules/examples.py` reads.
`docs/writing_rules.md` explains how to write a rule.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Edit(NamedTuple):
    """A replacement of a part of a text.

    Attributes:
      start: Offset of its first character in the text.
      end: Offset after its last character.
      text: The new text.
    """

    start: int
    end: int
    text: str


class Import(NamedTuple):
    """A module that new code needs.

    Attributes:
      module: Full name of the module.
      name: Preferred name in the new code. If it is taken, `SourceFile.module_name` returns
        another.
      first: Whether it must be imported before TensorFlow.
    """

    module: str
    name: str
    first: bool = False

    def statement(self, name: str) -> str:
        """Returns the statement that imports it under a name."""
        parent, _, leaf = self.module.rpartition(".")
        if not parent:
            return f"import {leaf}" + (f" as {name}" if name != leaf else "")
        if parent == "tensorflow.compat":
            return f"import {self.module} as {name}"
        return f"from {parent} import {leaf}" + (f" as {name}" if name != leaf else "")


class Check(NamedTuple):
    """The comparison that `migrate verify` should make after a change.

    Attributes:
      model_fn: Name of the model_fn.
      model: Name of the class that replaces it.
      input_fn: Name of a function that returns its data, or "INPUT_FN" if none is known.
      takes_params: Whether the class takes params.
      keras: Major version of the Keras of the class.
    """

    model_fn: str
    model: str
    input_fn: str
    takes_params: bool
    keras: int = 2


class ReplacedEstimators(NamedTuple):
    """The Estimators that a change replaces by models.

    Attributes:
      helpers: Module that replaces their methods, "as_estimator" or "porting".
      exported_functions: Functions that return them to other files, which get models then.
    """

    helpers: str
    exported_functions: frozenset[str] = frozenset()


class Change(NamedTuple):
    """A change at one place, made as a whole or not at all.

    Attributes:
      line: Line of the change, from 1.
      edits: Edits that make it. Empty if a person has to do it.
      imports: Modules that the new code needs.
      unsafe: Reason why results may differ, or "" if they cannot.
      check: Comparison that shows equal results. None if that takes a run of the program.
      replaced: The Estimators that it replaces, or None.
      is_last: Whether it waits until no rule finds another change, which may make a better one
        possible.
      needed: Whether a program needs it to leave tf_keras: it stays there without this change.
    """

    line: int
    edits: tuple[Edit, ...] = ()
    imports: tuple[Import, ...] = ()
    unsafe: str = ""
    check: Check | None = None
    replaced: ReplacedEstimators | None = None
    is_last: bool = False
    needed: bool = False


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rewriting rule.

    Attributes:
      module: Module that defines it. Name and direction follow from it.
      find: Finds its changes in a SourceFile.
      message: One sentence with its effect and its reason.
      source: Link to the documentation that it is based on.
      symbols: Public names that it covers, as a program of TensorFlow 1 writes them
        ("tf.train.AdamOptimizer"). A name that ends with ".*" covers all names below it.
      recipe: Recipe with more details, for `migrate recipes`.
      safe: Whether it makes most of its changes without --unsafe. A rule that is not safe makes
        only changes that it can prove, if any, and suggests the rest.
      instead_of: Names of fallback rules, such as `estimators` for `model_fns`. They skip the
        places that this rule could change, even if it only suggests the change.
    """

    module: str
    find: Callable[[Any], Iterable[Change]]
    message: str
    source: str
    symbols: tuple[str, ...]
    recipe: str
    safe: bool = True
    instead_of: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.module.rpartition(".")[2]

    @property
    def to(self) -> str:
        """The direction that it belongs to: "legacy", "modern" or "keras3"."""
        return self.module.split(".")[-2]

    def covers(self, name: str) -> bool:
        """Says whether a name is one of its symbols.

        Args:
          name: Name as in `used_names.Use`, without "compat.v1.".
        """
        if name not in self._covered:
            self._covered[name] = self._covers(name)
        return self._covered[name]

    @functools.cached_property
    def _covered(self) -> dict[str, bool]:
        """The answers of `covers`, since all files use the same names."""
        return {}

    def _covers(self, name: str) -> bool:
        if name in self.symbols:
            return True
        while name:
            name = name.rpartition(".")[0]
            if f"{name}.*" in self.symbols:
                return True
        return False
