r"""Names of other files' attributes, methods and functions that a file may use.

>>> import ast
>>> tree = ast.parse(
...     "from jobs import Job\nimport numpy as np\n"
...     "job = Job()\njob.fit(np.zeros(3))\ngetattr(job, 'model')\n"
... )
>>> mentions = Mentions(tree, {"jobs"}.__contains__)
>>> [node.attr for node in mentions.attributes], sorted(mentions.others)
(['fit'], ['Job', 'model'])

Attributes of modules outside the program do not count, such as `np.zeros`. Neither do those of
parsed flags, or of `self` in a class that is not derived from a class of another file.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Method = ast.FunctionDef | ast.AsyncFunctionDef
# Functions that use an attribute by its name, which is the second argument.
_BY_NAME = ("delattr", "getattr", "hasattr", "setattr")
_GETTERS = ("attrgetter", "methodcaller")
_PLAIN = ("classmethod", "property")  # Decorators of methods whose first argument is the object.
_FLAGS = ("FLAGS", "parse_args")


class Mentions:
    """The names of other files that a file may use.

    Attributes:
      attributes: Attributes that may belong to an object of another file.
      others: Names that it imports, uses by `getattr`, or defines in a class that is derived from
        another file's. "*" stands for a name that is computed.
      by_name: Objects with attributes that it uses by `getattr`, and the names.
      outside: Names of modules and objects that do not come from the program.
    """

    def __init__(self, tree: ast.Module, is_local: Callable[[str], bool]) -> None:
        """Reads a file.

        Args:
          tree: The file.
          is_local: Says whether a top-level name is a module of the program.
        """
        self._is_local = is_local
        self._nodes = [*ast.walk(tree)]
        self.outside = self._names_outside()
        self._own_classes = self._classes_of_file()
        self.attributes = [*self._attributes(tree)]
        self.by_name = [*self._used_by_name()]
        self.others = frozenset((*self._others(), *(name for _, name in self.by_name)))

    def _names_outside(self) -> frozenset[str]:
        """Returns the names that are bound only by imports from elsewhere, or to flags."""
        outside: set[str] = set()
        bound: set[str] = set()
        flags: set[ast.AST] = set()
        for node in self._nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    is_import = isinstance(node, ast.Import)
                    head = alias.name.partition(".")[0] if is_import else alias.name
                    is_from_program = (
                        self._is_local(head)
                        if isinstance(node, ast.Import)
                        else self._is_from_program(node)
                    )
                    (bound if is_from_program else outside).add(alias.asname or head)
            elif isinstance(node, ast.Assign) and _is_flags(node.value):
                flags.update(node.targets)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                (outside if node in flags else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                bound.add(node.name)
        return frozenset(outside - bound)

    def _is_from_program(self, node: ast.ImportFrom) -> bool:
        return bool(node.level) or self._is_local((node.module or "").partition(".")[0])

    def _classes_of_file(self) -> set[str]:
        """Returns the classes that are certainly not derived from classes of other files."""
        by_name: dict[str, list[ast.ClassDef]] = {}
        for node in self._nodes:
            if isinstance(node, ast.ClassDef):
                by_name.setdefault(node.name, []).append(node)
        own = {name for name, nodes in by_name.items() if len(nodes) == 1}
        while derived := {
            name
            for name in own
            if not all(self._is_known(base, own) for base in by_name[name][0].bases)
        }:
            own -= derived
        return own

    def _is_known(self, base: ast.expr, own: set[str]) -> bool:
        """Says whether a base class is not a class of another file."""
        name = _root(base)
        return name in own or name in self.outside or hasattr(builtins, name or "?")

    def _attributes(self, tree: ast.Module) -> Iterator[ast.Attribute]:
        """Yields the attributes that may belong to an object of another file."""
        # Name of `self` of the file's own class at each node, or "" outside of its methods.
        stack: list[tuple[ast.AST, str]] = [(tree, "")]
        while stack:
            node, own_self = stack.pop()
            if isinstance(node, ast.Attribute):
                is_own = isinstance(node.value, ast.Name) and node.value.id == own_self
                if not is_own and _root(node) not in self.outside:
                    yield node
            is_own_class = isinstance(node, ast.ClassDef) and node.name in self._own_classes
            for child in ast.iter_child_nodes(node):
                name = "" if isinstance(node, ast.ClassDef) else own_self
                if is_own_class and isinstance(child, _FUNCTIONS):
                    name = _self_of(child)
                stack.append((child, name))

    def _others(self) -> Iterator[str]:
        has_star = False
        for node in self._nodes:
            if isinstance(node, ast.ImportFrom) and self._is_from_program(node):
                yield from (alias.name for alias in node.names if alias.name != "*")
                has_star = has_star or node.names[0].name == "*"
            elif isinstance(node, ast.ClassDef) and node.name not in self._own_classes:
                yield from _names_in_body(node)
        if has_star:
            yield from (node.id for node in self._nodes if isinstance(node, ast.Name))

    def _used_by_name(self) -> Iterator[tuple[ast.expr, str]]:
        """Yields the objects whose attributes it uses by name, and the names."""
        for node in self._nodes:
            values: list[tuple[ast.expr, ast.expr | None]] = []
            if isinstance(node, ast.Attribute) and node.attr == "__dict__":
                values = [(node.value, None)]
            elif isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                name = node.func.attr if isinstance(node.func, ast.Attribute) else name
                if name in _GETTERS:
                    values = [(node, argument) for argument in node.args]
                elif name in (*_BY_NAME, "vars") and node.args:
                    values = [(node.args[0], node.args[1] if len(node.args) > 1 else None)]
            for value, text in values:
                if not _is_flags(value) and _root(value) not in self.outside:
                    yield from ((value, name) for name in _names(text))


def _root(node: ast.expr) -> str | None:
    """Returns the first name of a dotted name. None for other expressions."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_flags(node: ast.expr) -> bool:
    """Says whether an expression is the parsed flags of a program."""
    function = node.func if isinstance(node, ast.Call) else node
    return isinstance(function, ast.Attribute) and function.attr in _FLAGS


def _self_of(function: _Method) -> str:
    """Returns the name of `self` in a method. "" if anything else in the method binds it."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    if not arguments or any(ast.unparse(d) not in _PLAIN for d in function.decorator_list):
        return ""
    name = arguments[0].arg
    for node in ast.walk(function):
        is_bound = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        if is_bound and isinstance(node, ast.Name) and node.id == name:
            return ""
        if isinstance(node, ast.arg) and node.arg == name and node is not arguments[0]:
            return ""
    return name


def _names(node: ast.expr | None) -> list[str]:
    """Returns the parts of a dotted name in a literal string. Other expressions give "*"."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value).split(".") if is_text and isinstance(node, ast.Constant) else ["*"]


def _names_in_body(node: ast.ClassDef) -> Iterator[str]:
    """Yields the names that the body of a class binds."""
    for statement in node.body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            yield statement.name
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            for part in ast.walk(statement):
                if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                    yield part.id
