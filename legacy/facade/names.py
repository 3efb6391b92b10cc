r"""Lists the TensorFlow names that a program uses, from its source.

>>> import ast
>>> tree = ast.parse("import tensorflow as tf\nslim = tf.contrib.slim\nslim.conv2d(x, 3)")
>>> [(use.name, use.line) for use in uses_in(tree, "old.py")]
[('tf.contrib.slim', 2), ('tf.contrib.slim.conv2d', 3)]

A name is followed through imports and plain assignments. What a function takes as an argument, or
assigns, under the name of an import is not that import.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

_PACKAGES = frozenset(("tensorflow", "tensorflow_estimator"))
# What only TensorFlow 1 had: methods of its datasets, and arguments of its functions.
V1_METHODS = frozenset(("make_one_shot_iterator", "make_initializable_iterator"))
V1_ARGUMENTS = frozenset(("keep_dims", "keep_prob", "reduction_indices"))


class Use(NamedTuple):
    """One use of a TensorFlow name.

    name: as it is publicly written, "tf." in front; a method or argument of V1_* for itself.
    guarded: the program is prepared for it to fail: in a `try`, or behind a look at the version.
    at_start: it is needed as soon as the program starts, not only when a function is called.
    """

    name: str
    file: str
    line: int
    guarded: bool
    at_start: bool


def uses_in(tree: ast.Module, file: str, is_main: bool = True) -> list[Use]:
    """Lists the uses of TensorFlow names in a file, in its order.

    Args:
      tree: The parsed file.
      file: Its name, for the result.
      is_main: Whether the file is run, so that what follows `if __name__ == "__main__"` is too.
    """
    scanner = _Scanner(file, is_main)
    scanner.visit(tree)
    return scanner.uses


class _Scanner(ast.NodeVisitor):
    def __init__(self, file: str, is_main: bool) -> None:
        self.uses: list[Use] = []
        self._file, self._is_main = file, is_main
        self._scopes: list[dict[str, str | None]] = [{}]
        self._guards = self._functions = 0

    def visit_Import(self, node: ast.Import) -> None:  # noqa: N802
        for alias in node.names:
            head = alias.name.partition(".")[0]
            if head not in _PACKAGES:
                self._bind(alias.asname or head, None)
                continue
            if alias.name not in _PACKAGES:
                self._add(alias.name, node.lineno)
            self._bind(alias.asname or head, alias.name if alias.asname else head)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802
        module = node.module or ""
        ours = not node.level and module.partition(".")[0] in _PACKAGES
        for alias in node.names:
            name = f"{module}.{alias.name}" if ours else None
            if name and alias.name == "*":
                self._add(module, node.lineno)
                continue
            if name:
                self._add(name, node.lineno)
            self._bind(alias.asname or alias.name, name)

    def visit_Attribute(self, node: ast.Attribute) -> None:  # noqa: N802
        name = self._dotted(node)
        if name:
            self._add(name, node.lineno)
            return
        if node.attr in V1_METHODS:
            self._use(node.attr, node.lineno)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:  # noqa: N802
        if self._dotted(node.func):
            for keyword in node.keywords:
                if keyword.arg in V1_ARGUMENTS:
                    self._use(keyword.arg, node.lineno)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        self.visit(node.value)
        name = self._dotted(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._bind(target.id, name)
            else:
                self.visit(target)

    def visit_Name(self, node: ast.Name) -> None:  # noqa: N802
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id, None)

    def visit_Try(self, node: ast.Try) -> None:  # noqa: N802
        caught = any(_catches_absence(handler) for handler in node.handlers)
        self._guarded(node.body, caught)
        self._guarded([*node.handlers, *node.orelse, *node.finalbody], caught)

    def visit_If(self, node: ast.If) -> None:  # noqa: N802
        self.visit(node.test)
        test = ast.dump(node.test)
        waits = not self._is_main and "'__name__'" in test
        self._functions += waits
        looks = any(word in test for word in ("VERSION", "version", "hasattr"))
        self._guarded([*node.body, *node.orelse], looks)
        self._functions -= waits

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:  # noqa: N802
        for outside in (*node.decorator_list, node.args, node.returns):
            if outside is not None:
                self.visit(outside)
        self._bind(node.name, None)
        self._inside(node, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:  # noqa: N802
        self.visit(node.args)
        self._inside(node, [node.body])

    def visit_arg(self, node: ast.arg) -> None:
        if node.annotation:
            self.visit(node.annotation)

    def _inside(self, node: ast.AST, body: list[ast.AST]) -> None:
        arguments = [arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)]
        self._scopes.append(dict.fromkeys(arguments))
        self._functions += 1
        for statement in body:
            self.visit(statement)
        self._functions -= 1
        self._scopes.pop()

    def _guarded(self, nodes: list[ast.AST], guarded: bool) -> None:
        self._guards += guarded
        for node in nodes:
            self.visit(node)
        self._guards -= guarded

    def _bind(self, name: str, dotted: str | None) -> None:
        self._scopes[-1][name] = dotted

    def _dotted(self, node: ast.AST) -> str | None:
        """Returns the full name that an expression is, if it is one of TensorFlow's."""
        if isinstance(node, ast.Attribute):
            owner = self._dotted(node.value)
            return f"{owner}.{node.attr}" if owner else None
        if isinstance(node, ast.Name):
            for scope in reversed(self._scopes):
                if node.id in scope:
                    return scope[node.id]
        return None

    def _add(self, full_name: str, line: int) -> None:
        head, _, rest = full_name.partition(".")
        self._use(f"tf.{rest}" if head == "tensorflow" and rest else full_name, line)

    def _use(self, name: str, line: int) -> None:
        use = Use(name, self._file, line, bool(self._guards), not self._functions)
        self.uses.append(use)


def _catches_absence(handler: ast.ExceptHandler) -> bool:
    """Says whether an `except` catches what a missing name raises."""
    if handler.type is None:
        return True
    caught = ast.dump(handler.type)
    wide = ("ImportError", "ModuleNotFoundError", "AttributeError", "'Exception'", "BaseException")
    return any(name in caught for name in wide)
