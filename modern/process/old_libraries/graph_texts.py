"""Graphs as text, of TensorFlow before 2.21 with protobuf 7.

TensorFlow passes an empty `float_format` to protobuf, which no longer has this argument. So no
Estimator or MonitoredTrainingSession could write its graph.pbtxt. pip installs protobuf 7 with
TensorFlow 2.20.
"""

from __future__ import annotations

import functools
import importlib.metadata
import re
from types import ModuleType
from typing import Any

from modern.process import versions

_MENDED_IN = (2, 21)
_REMOVED_IN = 7


def accept_float_format() -> None:
    """Lets protobuf take an empty `float_format`, if the installed TensorFlow passes it."""
    protobuf = re.match(r"\d+", importlib.metadata.version("protobuf"))
    if protobuf and needs_float_format(versions.tensorflow(), int(protobuf[0])):
        from google.protobuf import text_format

        accept(text_format)


def needs_float_format(tensorflow: tuple[int, int], protobuf: int) -> bool:
    """Returns whether a TensorFlow passes an argument that a protobuf refuses.

    Args:
      tensorflow: Major and minor version of TensorFlow.
      protobuf: Major version of protobuf.
    """
    return tensorflow < _MENDED_IN and protobuf >= _REMOVED_IN


def accept(text_format: ModuleType) -> None:
    """Lets `MessageToString` of a module take an empty `float_format`."""
    to_string = text_format.MessageToString

    @functools.wraps(to_string)
    def with_float_format(message: Any, *args: Any, **kwargs: Any) -> str:
        if not kwargs.get("float_format", True):
            del kwargs["float_format"]
        return to_string(message, *args, **kwargs)

    text_format.MessageToString = with_float_format  # type: ignore[attr-defined]
