"""Lists the names that a program uses and legacy does not provide, without running the program.

    from legacy.shim import report

    for use, trouble in report.missing(uses):
        print(f"{use.file}:{use.line}: {trouble}")

Call it after `legacy.install`, with the uses that `legacy.reading.used_names` lists.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

from legacy.names import left_out
from legacy.reading import used_names
from legacy.shim import two_sided


def missing(uses: Iterable[used_names.Use]) -> Iterator[tuple[used_names.Use, str]]:
    """Yields the uses of names that are not provided, each with its error message.

    Old TensorFlow must be installed in this process.

    Args:
      uses: The uses to check.
    """
    troubles: dict[str, str | None] = {}
    for use in uses:
        if (
            not use.name.startswith(("tf.", "tensorflow_estimator"))
            or used_names.UNKNOWN in use.name
        ):
            continue
        if use.name not in troubles:
            troubles[use.name] = _trouble(use.name)
        trouble = troubles[use.name]
        if trouble:
            yield use, trouble


def _trouble(name: str) -> str | None:
    """Returns the error message of a name. None if it is provided."""
    full_name = "tensorflow" + name.removeprefix("tf") if name.startswith("tf.") else name
    parts = full_name.split(".")
    tensorflow = importlib.import_module("tensorflow")
    try:
        value: Any = two_sided.program_side(tensorflow)
        if parts[0] != "tensorflow":
            value = importlib.import_module(parts[0])
        for count, part in enumerate(parts[1:], 2):
            if not isinstance(value, (types.ModuleType, type)):
                return None  # An object. Its attributes are known only at run time.
            value = _member(value, part, ".".join(parts[:count]))
    except (AttributeError, ImportError, NotImplementedError) as error:
        text = str(error)
        return text if text.startswith(name) else f"{name}: {text}"
    return None


def _member(owner: Any, name: str, full_name: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        if not isinstance(owner, types.ModuleType):
            raise
        # A submodule that has not been imported yet.
        try:
            return importlib.import_module(full_name)
        except left_out.NotProvidedImportError:
            raise
        except ImportError:
            sys.modules.pop(full_name, None)
    return getattr(owner, name)
