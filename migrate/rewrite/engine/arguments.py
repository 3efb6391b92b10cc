r"""Editing of a call's arguments: all other arguments keep their layout and comments.

>>> call = Arguments("dense(x,\n      10,  # units\n      activation=None)")
>>> call.rename("activation", "act")
>>> call.add("units", "3")
>>> print(call.code)
dense(x,
      10,  # units
      act=None, units=3)

Only this module imports LibCST, and only when the first call is parsed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import libcst


class Arguments:
    """A call whose arguments can be edited."""

    def __init__(self, text: str) -> None:
        """Parses a call.

        Args:
          text: Text of the call.
        """
        import libcst

        self._cst = libcst
        # Parentheses let the call span several lines, wherever its line breaks are.
        self._call = libcst.ensure_type(libcst.parse_expression(f"({text})"), libcst.Call)

    @property
    def code(self) -> str:
        """The current text of the call."""
        return self._cst.Module([]).code_for_node(self._call)[1:-1]

    @property
    def names(self) -> list[str]:
        """The names of the keyword arguments."""
        return [arg.keyword.value for arg in self._call.args if arg.keyword]

    @property
    def count(self) -> int:
        """The number of positional arguments."""
        return sum(arg.keyword is None for arg in self._call.args)

    def set_function(self, text: str) -> None:
        """Replaces the function that is called."""
        self._call = self._call.with_changes(func=self._cst.parse_expression(text))

    def rename(self, old: str, new: str) -> None:
        """Renames a keyword argument. Does nothing if the call does not have it."""
        self._set(
            [
                arg.with_changes(keyword=self._cst.Name(new)) if self._is(arg, old) else arg
                for arg in self._call.args
            ]
        )

    def name_positional(self, names: Sequence[str], start: int = 0) -> None:
        """Turns positional arguments into keyword arguments.

        Args:
          names: Names of the parameters, in their order.
          start: Index of the first argument to name.
        """
        args = []
        for i, arg in enumerate(self._call.args):
            if arg.keyword is None and not arg.star and start <= i < len(names):
                arg = arg.with_changes(keyword=self._cst.Name(names[i]), equal=self._equal())
            args.append(arg)
        self._set(args)

    def remove(self, name: str) -> None:
        """Removes a keyword argument. Does nothing if the call does not have it."""
        self._set([arg for arg in self._call.args if not self._is(arg, name)])

    def remove_at(self, index: int) -> str:
        """Removes a positional argument, and returns its text."""
        args = list(self._call.args)
        text = self._cst.Module([]).code_for_node(args.pop(index).value)
        self._set(args)
        return text

    def value(self, name: str) -> str | None:
        """Returns the text of a keyword argument's value."""
        for arg in self._call.args:
            if self._is(arg, name):
                return self._cst.Module([]).code_for_node(arg.value)
        return None

    def set_value(self, name: str, text: str) -> None:
        """Sets the value of a keyword argument, and adds the argument if it is missing."""
        if name not in self.names:
            self.add(name, text)
            return
        value = self._cst.parse_expression(text)
        self._set(
            [
                arg.with_changes(value=value) if self._is(arg, name) else arg
                for arg in self._call.args
            ]
        )

    def add(self, name: str, text: str) -> None:
        """Adds a keyword argument at the end."""
        cst = self._cst
        args = list(self._call.args)
        new_arg = cst.Arg(cst.parse_expression(text), cst.Name(name), self._equal())
        if args:
            last = args[-1]
            new_arg = new_arg.with_changes(
                comma=last.comma, whitespace_after_arg=last.whitespace_after_arg
            )
            separator = args[-2].comma if len(args) > 1 else cst.MaybeSentinel.DEFAULT
            default_separator = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            trailing = isinstance(last.comma, cst.Comma)
            is_comma = isinstance(separator, cst.Comma) and trailing
            comma = (
                separator if is_comma and not self._has_comment(separator) else default_separator
            )
            args[-1] = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
        self._call = self._call.with_changes(args=[*args, new_arg])

    def _has_comment(self, node: Any) -> bool:
        return "#" in self._cst.Module([]).code_for_node(node)

    def _set(self, args: Sequence[libcst.Arg]) -> None:
        """Sets the arguments. A new last argument ends as the old last one did."""
        cst = self._cst
        args = list(args)
        if args and self._call.args and args[-1] is not self._call.args[-1]:
            old = self._call.args[-1]
            ends_with_comma = isinstance(old.comma, cst.Comma)
            comma = args[-1].comma
            if ends_with_comma:
                comma = old.comma
            elif isinstance(comma, cst.Comma):
                space = comma.whitespace_after
                comma = cst.MaybeSentinel.DEFAULT
                if "#" in cst.Module([]).code_for_node(space):
                    args[-1] = args[-1].with_changes(whitespace_after_arg=space)
            args[-1] = args[-1].with_changes(comma=comma)
        self._call = self._call.with_changes(args=args)

    def _equal(self) -> libcst.AssignEqual:
        space = self._cst.SimpleWhitespace("")
        return self._cst.AssignEqual(whitespace_before=space, whitespace_after=space)

    def _is(self, arg: libcst.Arg, name: str) -> bool:
        return arg.keyword is not None and arg.keyword.value == name


def bind(call: ast.Call, names: Sequence[str]) -> dict[str, ast.expr] | None:
    """Returns the arguments of a call by the names of the parameters.

    Args:
      call: The call.
      names: Names of the parameters that may be positional, in their order.

    Returns:
      The values. None if `*` or `**` hides their names, or if there are too many.
    """
    if any(isinstance(arg, ast.Starred) for arg in call.args) or len(call.args) > len(names):
        return None
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    values = dict(zip(names, call.args, strict=False))
    values.update((keyword.arg or "", keyword.value) for keyword in call.keywords)
    return values
