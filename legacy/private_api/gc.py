"""Which of many exported models to keep: the rules of the original's private `gc` module.

Programs with exporters of their own put together from these what they delete.

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
      export_version: Its version, such as the time of the export; None before it is parsed.
    """

    path: Any
    export_version: int | None


Rule = Callable[[Iterable[Path]], list[Path]]


def largest_export_versions(n: int) -> Rule:
    """Returns a rule that keeps the n newest.

    Args:
      n: How many.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        known = sorted(_with_version(paths), key=lambda path: path.export_version)
        return sorted(known[max(0, len(known) - n) :])

    return keep


def _with_version(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.export_version is not None]


def one_of_every_n_export_versions(n: int) -> Rule:
    """Returns a rule that keeps the newest of each n consecutive versions: 1 to n, and so on.

    Args:
      n: How many versions have one that is kept; 0 is among the first.
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
    """Returns a rule that keeps what one of two keeps.

    Args:
      first: A rule.
      second: A rule.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        paths = list(paths)
        return sorted({*first(paths), *second(paths)})

    return keep


def negation(rule: Rule) -> Rule:
    """Returns a rule that keeps what another does not.

    Args:
      rule: The other.
    """

    def keep(paths: Iterable[Path]) -> list[Path]:
        paths = list(paths)
        return sorted(set(paths).difference(rule(paths)))

    return keep


def get_paths(base_dir: str | bytes, parser: Callable[[Path], Path | None]) -> list[Path]:
    """Lists what a folder holds.

    Args:
      base_dir: The folder.
      parser: Gives a path its version; None for what is no export.

    Returns:
      The parsed paths, sorted.
    """
    base = tf.compat.as_str_any(base_dir)
    # Object stores end the name of a folder with a slash.
    # By the name that test suites put a mock in the place of.
    listed = tf.compat.v1.gfile.ListDirectory(base)
    names = [tf.compat.as_str_any(name).rstrip("/") for name in listed]
    parsed = [parser(Path(os.path.join(base, name), None)) for name in names]
    return sorted(path for path in parsed if path is not None)
