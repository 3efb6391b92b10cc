"""Finds the Estimators of a program, and excludes chosen ones from rewriting.

for estimator in estimators.find("step/source"):
    estimators.mark("step/source", estimator, estimators.BRIDGED)

A comment at the end of a statement excludes it from the rules that lift an Estimator.
"""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

from migrate import sources
from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.engine import files
from migrate.rewrite.engine.source_file import ESTIMATORS, SourceFile
from migrate.rewrite.estimators import learn_calls

KERAS, BRIDGED, LEGACY = "Keras", "bridged", "legacy"
RUNGS = (KERAS, BRIDGED, LEGACY)
KERAS_3 = "Keras 3"  # The rung above, which a program reaches as a whole.
# Rules that lift an Estimator to a rung.
_RULES = {
    KERAS: ("canned_models", "keras_estimators", "model_fns"),
    BRIDGED: ("canned_estimators", "estimators", "learn_estimators", "train_and_evaluate"),
}
# Names of the unmodified text, which `rewrite --to=legacy` spells by their place in legacy.
_CONVERTERS = tuple(
    f"tf.{prefix}keras.estimator.model_to_estimator{suffix}"
    for prefix in ("", "compat.v1.", "compat.v2.")
    for suffix in ("", "_v2")
)
_MARK = "  # migrate: ignore[{}]"
_MARKED = re.compile(r"  # migrate: ignore\[[\w,]*\bport\]")


class Estimator(NamedTuple):
    """A place that creates an Estimator.

    Attributes:
      path: File, relative to the folder of the program's copy.
      line: Line of the call.
      name: Public name of its class, such as "tf.estimator.DNNClassifier".
    """

    path: str
    line: int
    name: str


def find(folder: str) -> list[Estimator]:
    """Returns the Estimators that the files of a folder create, in order.

    Args:
      folder: Folder with unmodified texts, or with those that `rewrite --to=legacy` has written.
    """
    return [
        estimator
        for source in sources.find([folder])
        for estimator in _of_file(source.path, folder)
    ]


def _of_file(path: str, folder: str) -> Iterator[Estimator]:
    try:
        file = SourceFile(files.read(path).code, path)
    except (files.NotReadable, SyntaxError, RecursionError):
        return
    for match in file.names():
        call = match.call
        if call is None:
            continue
        is_other = match.name in _CONVERTERS or learn_calls.is_estimator(match.name)
        if not is_other and not estimator_uses.is_estimator(file, call):
            continue
        parent = file.parent(call)
        # A bridged model reads the model_fn of a canned Estimator.
        is_read = isinstance(parent, ast.Attribute) and parent.attr == "model_fn"
        if not is_read and not match.name.startswith(ESTIMATORS):
            yield Estimator(os.path.relpath(path, folder), call.lineno, match.name)


def rung_of(rules: set[str]) -> str:
    """Returns the rung to which rules have lifted an Estimator.

    Args:
      rules: Names of the rules that have changed its line.
    """
    return next((rung for rung in (KERAS, BRIDGED) if rules & set(_RULES[rung])), LEGACY)


def mark(folder: str, estimator: Estimator, highest: str) -> None:
    """Adds a comment that keeps an Estimator from rising above a rung.

    Args:
      folder: Folder with the files.
      estimator: The Estimator.
      highest: Highest rung that the Estimator may reach.
    """
    rules = [name for rung in RUNGS[: RUNGS.index(highest)] for name in _RULES[rung]]
    if not rules:
        return
    path = os.path.join(folder, estimator.path)
    file = files.read(path)
    lines = file.text.split("\n")
    row = _last_line(file.text, estimator.line)
    end = "\r" if lines[row - 1].endswith("\r") else ""
    lines[row - 1] = (
        lines[row - 1].removesuffix("\r") + _MARK.format(",".join([*rules, "port"])) + end
    )
    files.write(file, "\n".join(lines))


def unmark(folder: str) -> None:
    """Removes the comments of `mark`.

    Args:
      folder: Folder with the files.
    """
    for source in sources.find([folder]):
        try:
            file = files.read(source.path)
        except files.NotReadable:
            continue
        if not source.is_notebook and _MARKED.search(file.text):
            files.write(file, _MARKED.sub("", file.text))


def _last_line(text: str, line: int) -> int:
    """Returns the last line of the statement that contains a line."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE and token.start[0] >= line:
            return token.start[0]
    return line
