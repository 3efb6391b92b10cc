"""Modules that stand for missing ones, and raise their error when the program uses them.

>>> kafka = Missing("tensorflow.contrib.kafka", "tf.contrib.kafka is not provided")
>>> kafka.KafkaDataset(["topic"])
Traceback (most recent call last):
legacy.names.left_out.NotProvidedError: tf.contrib.kafka is not provided

So a program can import a module that needs missing names in only some of its functions. For
example, a test file has many tests, and one of them uses tf.contrib.gan.

A program that handles the ImportError itself still gets it at the import. It may have a replacement
for the missing name.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import types
from typing import Any, NoReturn

from legacy.names import left_out
from legacy.reading import callers
from legacy.shim import modules

_IMPORT_ERRORS = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
_EXPECTING_ERRORS = ("raises", "Raises", "suppress")


class Missing(modules.Named):
    """A missing module, function or class.

    A class that is derived from it can be defined, but not instantiated.
    """

    def __init__(self, name: str, message: str) -> None:
        """Stores the name and the error.

        Args:
          name: Full name, as the program imports it.
          message: Message of the error.
        """
        super().__init__(name)
        self.__dict__["__path__"] = []  # `from MISSING import name` imports MISSING.name.
        self.__dict__["_message"] = message

    def __getattr__(self, name: str) -> NoReturn:
        """Raises NotProvidedError, or AttributeError for the names of Python itself."""
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        raise left_out.NotProvidedError(self._message)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raises NotProvidedError."""
        raise left_out.NotProvidedError(self._message)

    def __instancecheck__(self, value: Any) -> bool:
        """Returns false, because a missing class has no instances."""
        return False

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type]:
        """Returns the base class for a class that is derived from this one."""
        message = self._message

        def refuse(cls: type, *args: Any, **kwargs: Any) -> NoReturn:
            raise left_out.NotProvidedError(message)

        return (type(self.__name__.rpartition(".")[2], (), {"__new__": refuse}),)

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} (not provided by legacy)>"


def is_unhandled(frame: types.FrameType | None) -> bool:
    """Returns whether the program imports a module and does not handle an ImportError.

    Args:
      frame: The frame that imports.

    Returns:
      False if a library imports the module, or if a `try` of the program catches ImportError
      anywhere up the stack.
    """
    if not callers.in_program(frame):
        return False
    while frame is not None:
        file = frame.f_code.co_filename
        # Code of libraries, such as a test runner, catches the errors of all programs.
        if callers.may_have_programs(os.path.dirname(file)) and any(
            first <= frame.f_lineno <= last for first, last in _handled_lines(file)
        ):
            return False
        frame = frame.f_back
    return True


@functools.lru_cache(maxsize=64)
def _handled_lines(file: str) -> tuple[tuple[int, int], ...]:
    """Returns the (first, last) lines of the blocks that handle an ImportError."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ()
    return tuple(
        (node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno)
        for node in ast.walk(tree)
        if _handles(node)
    )


def _handles(node: ast.AST) -> bool:
    """Returns whether a statement is a `try` that catches ImportError, or a test of one."""
    if isinstance(node, ast.Try):
        error_types = [handler.type for handler in node.handlers]
        return any(
            kind is None or _IMPORT_ERRORS.intersection(_names(kind)) for kind in error_types
        )
    if isinstance(node, ast.With):
        contexts = [ast.unparse(item.context_expr) for item in node.items]
        return any(word in context for context in contexts for word in _EXPECTING_ERRORS)
    return False


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
