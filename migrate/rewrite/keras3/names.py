"""Spells the names of Keras 3 in a file, and finds the names of tf_keras in it.

for match in names.of_tf_keras(file):
    keras, imports = names.keras(file)
    yield file.replacement(match.node, f"{keras}.{match.path}", imports)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import Match, SourceFile

KERAS = Import("keras", "keras")
# Modules that are tf_keras, in a program that has left Estimators.
PACKAGES = (
    *("tf_keras", "tensorflow.keras", "tensorflow.compat.v1.keras", "tensorflow.compat.v2.keras"),
)
_V1 = "tensorflow.compat.v1.keras"


class KerasMatch(NamedTuple):
    """An occurrence of a name of tf_keras.

    Attributes:
      path: The name within Keras, such as "layers.Dense".
      match: The occurrence.
      is_v1: Whether it is a name of tf.compat.v1.keras.
    """

    path: str
    match: Match
    is_v1: bool


def path_of(full_name: str) -> str | None:
    """Returns the name within tf_keras, or None for other names.

    >>> path_of("tensorflow.keras.layers.Dense"), path_of("keras.layers.Dense")
    ('layers.Dense', None)

    Args:
      full_name: A full name.
    """
    for package in PACKAGES:
        if full_name == package:
            return ""
        if full_name.startswith(f"{package}."):
            return full_name.removeprefix(f"{package}.")
    return None


def of_tf_keras(file: SourceFile) -> Iterator[KerasMatch]:
    """Yields the names of tf_keras in a file, in order.

    Args:
      file: The file.
    """
    for match in file.names():
        path = path_of(match.full_name)
        if path:
            yield KerasMatch(path, match, match.full_name.startswith(_V1))


def uses_tf_keras(file: SourceFile) -> bool:
    """Says whether a file or its program uses tf_keras."""
    return (
        next(of_tf_keras(file), None) is not None
        or any(path_of(value.removeprefix("@")) is not None for value in file.exported.values())
        or file.plan.program.uses(lambda name: f"{name}.".startswith(("tf_keras.", "tf.keras.")))
    )


def keras(file: SourceFile) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of Keras 3 in new code of a file, and the imports that it needs.

    The name of tf_keras becomes that of Keras 3, if the file gave it one.

    Args:
      file: The file.
    """
    for node in file.tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname and path_of(alias.name) == "" and alias.asname not in file.rebound:
                    return alias.asname, ()
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                is_keras = path_of(f"{node.module or ''}.{alias.name}") == ""
                if is_keras and not node.level and name not in file.rebound:
                    return name, ()
    return file.module_name(KERAS), (KERAS,)


def public_of(match: Match) -> str:
    """Returns the name of a function of TensorFlow, without its package: "nn.relu".

    It is "" for names of other packages.

    Args:
      match: The occurrence.
    """
    for package in ("tensorflow.compat.v1.", "tensorflow.compat.v2.", "tensorflow."):
        if match.full_name.startswith(package):
            return match.full_name.removeprefix(package)
    return ""
