"""Selects the exported models to keep: the rules of the original's private `gc` module.

Programs with exporters of their own combine these rules to select the exports to delete.

>>> paths = [Path("/exports/4", 4), Path("/exports/5", 5), Path("/exports/6", 6)]
>>> keep = union(largest_export_versions(1), mod_export_version(4))
>>> negation(keep)(paths)
[Path(path='/exports/5', export_version=5)]
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import tensorflow as tf


class Path(NamedTuple):
    """An exported model.

    Attributes:
      path: Its folder.
      export_version: Its version, such as the time of the export. None before it is parsed.
    """

    path: Any
    export_version: int | None


Rule = Callable[[Iterable[Path]], list[Path]]


def largest_export_versions(n: int) -> Rule:
    """Returns a rule that keeps the n newest versions.

    Args:
      n: Number of versions to keep.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        versions = sorted(_with_version(paths), key=lambda path: path.export_version)
        return sorted(versions[max(0, len(versions) - n) :])

    return keep


def _with_version(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.export_version is not None]


def one_of_every_n_export_versions(n: int) -> Rule:
    """Returns a rule that keeps the newest of each n consecutive versions: 1 to n, and so on.

    Args:
      n: Length of an interval of versions. Version 0 belongs to the first interval.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        newest: dict[int, Path] = {}
        for path in sorted(_with_version(paths), key=lambda path: path.export_version):
            newest[max(0, (path.export_version - 1) // n)] = path
        return sorted(newest.values())

    return keep


def mod_export_version(n: int) -> Rule:
    """Returns a rule that keeps the versions that n divides.

    Args:
      n: The divisor.
    """
    return lambda paths: sorted(path for path in paths if path.export_version % n == 0)


def union(first: Rule, second: Rule) -> Rule:
    """Returns a rule that keeps the paths that either of two rules keeps.

    Args:
      first: A rule.
      second: A rule.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        paths = list(paths)
        return sorted({*first(paths), *second(paths)})

    return keep


def negation(rule: Rule) -> Rule:
    """Returns a rule that keeps the paths that another rule does not keep.

    Args:
      rule: The other rule.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        paths = list(paths)
        return sorted(set(paths).difference(rule(paths)))

    return keep


def get_paths(base_dir: str | bytes, parser: Callable[[Path], Path | None]) -> list[Path]:
    """Lists the exports in a folder.

    Args:
      base_dir: The folder.
      parser: Adds the version to a path. Returns None for a path that is not an export.

    Returns:
      The parsed paths, sorted.
    """
    base = tf.compat.as_str_any(base_dir)
    # The full name is used, because test suites mock it. Object stores end folder names with a
    # slash.
    entries = tf.compat.v1.gfile.ListDirectory(base)
    names = [tf.compat.as_str_any(name).rstrip("/") for name in entries]
    exports = [parser(Path(os.path.join(base, name), None)) for name in names]
    return sorted(path for path in exports if path is not None)
