"""Restores the argument `log_usage` of the sessions and hooks of TensorFlow's debugger.

    from tensorflow.python import debug as tf_debug

    hook = tf_debug.DumpingDebugHook("/tmp/dumps", log_usage=False)

It counted the uses inside of Google, and did nothing elsewhere.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

# The classes by private module.
CLASSES: dict[str, tuple[str, ...]] = {
    "tensorflow.python.debug.wrappers.dumping_wrapper": ("DumpingDebugWrapperSession",),
    "tensorflow.python.debug.wrappers.grpc_wrapper": (
        "GrpcDebugWrapperSession",
        "TensorBoardDebugWrapperSession",
    ),
    "tensorflow.python.debug.wrappers.hooks": (
        "DumpingDebugHook",
        "GrpcDebugHook",
        "TensorBoardDebugHook",
    ),
    "tensorflow.python.debug.wrappers.local_cli_wrapper": ("LocalCLIDebugWrapperSession",),
}


def complete(module: types.ModuleType) -> None:
    """Lets the classes of a module accept the argument.

    Args:
      module: One of the modules of `CLASSES`.
    """
    for name in CLASSES[module.__name__]:
        owner = getattr(module, name)
        owner.__init__ = _without_log_usage(owner.__init__)


def _without_log_usage(create: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(create)
    def __init__(self: Any, *args: Any, log_usage: bool = True, **kwargs: Any) -> None:
        create(self, *args, **kwargs)

    return __init__
