"""Finds out whether a program is written for TensorFlow 1 or 2, from the names it uses.

>>> from legacy.facade.names import Use
>>> choose([Use("tf.placeholder", "old.py", 7, guarded=False, at_start=True)])
('v1', 'tf.placeholder, old.py:7')
"""

from __future__ import annotations

from collections.abc import Iterable

from legacy.facade import names, tables, v1_only

# What cannot have run on TensorFlow 2, whatever else a program uses.
_ONLY_IN_1 = ("tf.contrib", "tf.examples", "tf.python.estimator")


def choose(uses: Iterable[names.Use]) -> tuple[str, str]:
    """Chooses the API that the names of a program are of.

    Names that the program is prepared not to find tell nothing. A program without any name that
    tells is taken for one of TensorFlow 2.

    Args:
      uses: The uses of names in all its files.

    Returns:
      ("v1" or "v2", the first use that tells, or "" if none does).
    """
    telling: dict[str | None, list[names.Use]] = {}
    for use in uses:
        if not use.guarded:
            if _is_below(use.name, _ONLY_IN_1):
                return "v1", _where(use)
            telling.setdefault(_api_of(use.name), []).append(use)
    first, second = telling.get("v1", []), telling.get("v2", [])
    if len(first) > len(second):
        return "v1", _where(first[0])
    return "v2", _where(second[0]) if second else ""


def _api_of(name: str) -> str | None:
    if name in v1_only.METHODS or name in v1_only.ARGUMENTS:
        return "v1"
    while name:
        for api in ("v1", "v2"):
            if name in tables.names_of(api):
                return api
        name = name.rpartition(".")[0]
    return None


def _is_below(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _where(use: names.Use) -> str:
    return f"{use.name}, {use.file}:{use.line}"
