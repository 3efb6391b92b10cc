"""What a rewriting rule is: metadata that costs nothing to read, and a function that finds changes.

A rule is a module below `migrate.rewrite.rules.legacy` or `.modern` with a `RULE`:

    def _find(file: SourceFile) -> Iterator[Change]:
        for found in file.found(RULE):
            yield file.replaced(found.node, "tf.cast")

    RULE = Rule(__name__, _find, message="...", source="https://...", recipe="...", ...)

Its name is that of its file. `docs/rewrite.md` says how one is written.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Edit(NamedTuple):
    """A part of a text that is to be another.

    start, end: Where it stands, in characters from the start of the text.
    """

    start: int
    end: int
    text: str


class Import(NamedTuple):
    """A module that new code needs.

    module: Its full name.
    name: What the new code calls it. Another name is chosen where that is taken: the code asks
      `SourceFile.imported` for it.
    first: Whether it must be imported before TensorFlow.
    """

    module: str
    name: str
    first: bool = False

    def statement(self, name: str) -> str:
        """Writes the statement that imports it under a name."""
        parent, _, leaf = self.module.rpartition(".")
        if not parent:
            return f"import {leaf}" + (f" as {name}" if name != leaf else "")
        if parent == "tensorflow.compat":
            return f"import {self.module} as {name}"
        return f"from {parent} import {leaf}" + (f" as {name}" if name != leaf else "")


class Check(NamedTuple):
    """What `migrate verify` is to compare after a change.

    Attributes:
      model_fn: Name of the model_fn.
      model: Name of the class that it became.
      input_fn: Name of a function with its data; "INPUT_FN" if none is known.
      takes_params: Whether the class takes params.
    """

    model_fn: str
    model: str
    input_fn: str
    takes_params: bool


class Change(NamedTuple):
    """Something that a rule would change at one place, as a whole or not at all.

    line: Where, from 1.
    edits: What is to change; none where it takes a person.
    imports: What the new code needs.
    unsafe: Why it is not sure that the program computes the same afterwards; "" where it is.
    check: What shows that it does; None if that takes a run of the program.
    """

    line: int
    edits: tuple[Edit, ...] = ()
    imports: tuple[Import, ...] = ()
    unsafe: str = ""
    check: Check | None = None


class Example(NamedTuple):
    """A program before and after a rule, executed by the tests.

    unsafe: Whether the change is only made with --unsafe.
    api: What the program is written for, "v1" or "v2".
    """

    before: str
    after: str
    unsafe: bool = False
    api: str = "v1"


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rewriting rule.

    Attributes:
      module: Where it is defined; its name and direction follow from that.
      find: Finds its changes in a SourceFile.
      message: What it does, and why, in a sentence.
      source: A link to what it is based on.
      symbols: The public names that it covers, as a program of TensorFlow 1 writes them
        ("tf.train.AdamOptimizer"); one that ends with ".*" covers all names below.
      recipe: The recipe that says more, for `migrate recipes`.
      examples: What it changes. `x = ...` and the like in them may be given values by the tests.
      unchanged: What it leaves alone.
      safe: Whether it makes most of its changes without --unsafe. One that is not safe changes by
        itself only what it can prove, if anything, and suggests the rest.
      instead_of: Names of rules that leave alone what this one could change, also if it only
        suggests that: they are for what it does not understand.
    """

    module: str
    find: Callable[[Any], Iterable[Change]]
    message: str
    source: str
    symbols: tuple[str, ...]
    recipe: str
    examples: tuple[Example, ...]
    unchanged: tuple[str, ...]
    safe: bool = True
    instead_of: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.module.rpartition(".")[2]

    @property
    def to(self) -> str:
        """The direction that it belongs to, "legacy" or "modern"."""
        return self.module.split(".")[-2]

    def covers(self, name: str) -> bool:
        """Says whether a name is one of its symbols.

        Args:
          name: The name as `names.Use` has it, "compat.v1." left out.
        """
        if name in self.symbols:
            return True
        while name:
            name = name.rpartition(".")[0]
            if f"{name}.*" in self.symbols:
                return True
        return False
