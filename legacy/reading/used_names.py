r"""Lists the TensorFlow names that a program uses, from its source.

>>> import ast
>>> tree = ast.parse("import tensorflow as tf\nslim = tf.contrib.slim\nslim.conv2d(x, 3)")
>>> [(use.name, use.line) for use in uses_in(tree, "old.py")]
[('tf.contrib.slim', 2), ('tf.contrib.slim.conv2d', 3)]

Names are followed through imports, plain assignments, and the forms that `expressions` knows. A
local variable or argument of a function hides an import of the same name. If a condition or an
`except` chooses between bindings, the binding from TensorFlow counts.
"""

from __future__ import annotations

import ast
import collections
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from legacy.names import tables, v1_only
from legacy.reading import expressions, version_tests
from legacy.reading.bindings import Scopes
from legacy.reading.expressions import KEPT
from legacy.reading.expressions import UNKNOWN as UNKNOWN

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Use(NamedTuple):
    """A use of a TensorFlow name.

    Attributes:
      name: The public name, with "tf." in front. A method or argument of `v1_only` stands alone.
      file: The file that uses it.
      line: The line in the file.
      guarded: True if the program handles its absence: in a `try`, or after a check of the version.
      at_start: True if it is needed when the program starts, not only when a function is called.
      column: Column of the use, as `ast` counts (bytes, from 0).
      end_line: Line of its end.
      end_column: Column of its end.
      form: "name", "import", "method" or "argument".
      others: Other possible names, if a condition decides at run time.
    """

    name: str
    file: str
    line: int
    guarded: bool
    at_start: bool
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    form: str = "name"
    others: tuple[str, ...] = ()


def uses_in(tree: ast.Module, file: str, is_main: bool = True) -> list[Use]:
    """Lists the uses of TensorFlow names in a file, in its order.

    Args:
      tree: The parsed file.
      file: Its name, for the result.
      is_main: If true, the file is run, and so is the block of `if __name__ == "__main__"`.
    """
    return read(tree, file, is_main)[0]


def read(
    tree: ast.Module,
    file: str,
    is_main: bool = True,
    is_local: Callable[[str], bool] | None = None,
    version: str = "",
) -> tuple[list[Use], dict[str, str]]:
    """Lists the uses in a file, and the TensorFlow names that it provides for other files.

    Args:
      tree: The parsed file.
      file: Its name, for the result.
      is_main: As for `uses_in`.
      is_local: Returns whether a name may be the top level of one of the program's own modules.
        Uses of those modules are then listed, too, with "@" before the dotted name ("@." for a
        relative import), and so are names that `from module import *` may provide.
      version: TensorFlow's version, for conditions that test it. "" if it is not known.

    Returns:
      The uses, and the module's own names with their values, as in `bindings`.
    """
    reader = _Reader(file, is_main, is_local, version)
    reader.read(tree)
    return sorted(reader.uses, key=lambda use: (use.line, use.column)), reader.scopes.exported


def public_spelling(full_name: str) -> str:
    """Returns the usual spelling of a full name, such as "tf.layers" for "tensorflow.layers"."""
    while ".compat.v1.compat.v1" in full_name:  # The module contains itself.
        full_name = full_name.replace(".compat.v1.compat.v1", ".compat.v1")
    head, _, rest = full_name.partition(".")
    return f"tf.{rest}" if head == "tensorflow" and rest else full_name


class _Reader:
    def __init__(
        self, file: str, is_main: bool, is_local: Callable[[str], bool] | None, version: str
    ) -> None:
        self.uses: list[Use] = []
        self._version = version
        # An unbound `tf` of unknown origin is assumed to be TensorFlow.
        self.scopes = Scopes({"tf": "tensorflow"} if is_local is not None else {})
        self._file, self._is_main, self._is_local = file, is_main, is_local
        self._guards = self._functions = self._branches = self._handlers = 0
        self._later: collections.deque[Callable[[], None]] = collections.deque()

    def read(self, tree: ast.Module) -> None:
        if self._is_local is not None:
            for node in ast.walk(tree):
                if isinstance(node, ast.Global):  # A function binds it when it is called.
                    self.scopes.forget_custom(node.names)
        self._visit_all(tree.body)
        # Functions run after all names of the module are bound.
        while self._later:
            self._later.popleft()()

    def _visit(self, node: ast.AST) -> None:
        visitor = _VISITORS.get(type(node))
        if visitor is not None:
            visitor(self, node)
        else:
            self._visit_parts(node)

    def _visit_all(self, nodes: list[Any]) -> None:
        for node in nodes:
            self._visit(node)

    def _visit_parts(self, node: ast.AST) -> None:
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                for part in value:
                    if isinstance(part, ast.AST):
                        self._visit(part)
            elif isinstance(value, ast.AST):
                self._visit(value)

    # Statements that bind names.

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = expressions.canonical(alias.name)
            head = name.partition(".")[0]
            if head in expressions.PACKAGES:
                if alias.name not in expressions.PACKAGES:
                    self._add(alias.name, alias, "import")
                value = name if alias.asname else head
            elif self._is_local is not None and self._is_local(head):
                value = f"@{alias.name if alias.asname else head}"
            else:
                value = None
            self._bind(alias.asname or alias.name.partition(".")[0], value)

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = expressions.canonical(node.module or "")
        head = module.partition(".")[0]
        if not node.level and head in expressions.PACKAGES:
            start = module
        elif self._is_local is not None and (node.level or self._is_local(head)):
            start = "@" + "." * node.level + module
        else:
            start = ""
        for alias in node.names:
            name = f"{start}{'' if start.endswith('.') else '.'}{alias.name}" if start else None
            if alias.name == "*":
                if head in expressions.PACKAGES and not node.level:
                    self._add(module, alias, "import")
                if start and self._is_local is not None:
                    self.scopes.bind_star(start)
                continue
            if name:
                as_written = start == module and module != node.module
                written_name = f"{node.module}.{alias.name}" if as_written else name
                self._add(written_name, alias, "import")
            is_followed = name and not expressions.is_constant(name)
            self._bind(alias.asname or alias.name, name if is_followed else None)

    def _assign(self, node: ast.Assign) -> None:
        self._visit(node.value)
        for target in node.targets:
            self._assign_to(target, node.value)

    def _assign_typed(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation)
        if node.value is not None:
            self._visit(node.value)
            self._assign_to(node.target, node.value)

    def _assign_to(self, target: ast.AST, value: ast.AST) -> None:
        if isinstance(target, ast.Name):
            name, other_values = self._value_of(value)
            if name and self.scopes.in_function:
                mark = KEPT * (2 if self._branches else 1)
                name, other_values = (
                    name + mark,
                    [other_value + mark for other_value in other_values],
                )
            self._bind(target.id, name, other_values)
        elif isinstance(target, (ast.Tuple, ast.List)):
            is_parallel = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(
                target.elts
            )
            for i, part in enumerate(target.elts):
                self._assign_to(part, value.elts[i] if is_parallel else value)
        elif (
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.value.id in ("self", "cls")
        ):
            name, other_values = self._value_of(value)
            is_certain = name and len(set(other_values)) < 2
            self.scopes.set_attribute(target.attr, f"{name}{KEPT * 2}" if is_certain else None)
        else:
            self._visit(target)

    def _walrus(self, node: ast.NamedExpr) -> None:
        self._visit(node.value)
        self._assign_to(node.target, node.value)

    def _global(self, node: ast.Global) -> None:
        self.scopes.declare_global(node.names)

    def _value_of(self, value: ast.AST) -> tuple[str | None, list[str]]:
        """Returns the value of an expression, and all possible values if it is not certain."""
        name = expressions.bound_name(value, self.scopes)
        if not name or self._is_local is None:
            return name, []
        choices = [value.body, value.orelse] if isinstance(value, ast.IfExp) else []
        if isinstance(value, ast.IfExp) and self._version:
            result = version_tests.outcome(value.test, self._version)
            choices = choices if result is None else [value.body if result else value.orelse]
            name = expressions.bound_name(choices[0], self.scopes)
        choices = value.values if isinstance(value, ast.BoolOp) else choices
        names = [expressions.bound_name(choice, self.scopes) for choice in choices]
        for choice in choices or [value]:
            names += self._candidates_of(choice)
        return name, sorted(filter(None, names))

    def _candidates_of(self, node: ast.AST) -> list[str]:
        """Returns all full names that an expression may have. Empty if its name is certain."""
        base = node
        while isinstance(base, ast.Attribute):
            base = base.value
        names: list[str] = []
        for candidate in self.scopes.candidates(base.id) if isinstance(base, ast.Name) else ():
            with self.scopes.assuming(base.id, candidate):
                names.append(expressions.full_name(node, self.scopes) or "")
        return [name.rstrip(KEPT) for name in names if name]

    def _bind(self, name: str, value: str | None, other_values: Iterable[str] = ()) -> None:
        # The first attempt uses the names of today's TensorFlow, so a handler's bindings are weak.
        is_fallback = value is None or bool(self._handlers)
        weak = bool(self._branches) and is_fallback
        self.scopes.bind(name, value, weak=weak, other_values=other_values)

    # Expressions that use names.

    def _name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id, None)
            return
        value = self.scopes.lookup(node.id)
        # The import or assignment is listed already. With `is_local`, each later use is listed,
        # too.
        if not value or value.endswith(KEPT) or self._is_local is None:
            return
        if value not in expressions.PACKAGES:
            self._add(value, node)

    def _attribute(self, node: ast.Attribute) -> None:
        name = self._full_name(node)
        if name:
            if not name.endswith(KEPT):
                self._add(name, node)
            return
        if node.attr in v1_only.METHODS:
            self._use(node.attr, node, "method")
        self._visit(node.value)

    def _subscript(self, node: ast.Subscript) -> None:
        name = self._full_name(node)
        if not name:
            self._visit_parts(node)
        elif name not in expressions.PACKAGES:
            self._add(name, node)

    def _call(self, node: ast.Call) -> None:
        name = self._full_name(node)
        if name:
            self._add(name, node)
        elif self._full_name(node.func):
            function = public_spelling(self._full_name(node.func) or "")
            for keyword in node.keywords:
                if keyword.arg and v1_only.is_argument(keyword.arg, function):
                    self._use(keyword.arg, keyword, "argument")
            if isinstance(node.func, ast.Name) and self._is_local is not None:
                value, mark, second_mark = (self._full_name(node.func) or "").partition(KEPT)
                if mark and not second_mark:
                    self._add(value, node.func)
        if name and UNKNOWN not in name and node.args:
            # The object of the lookup is a part of the name, as in `tf.layers.dense`.
            self._visit_all([node.func, *node.args[1:], *node.keywords])
        else:
            self._visit_parts(node)

    def _annotation(self, node: ast.AST | None) -> None:
        """Visits an annotation, which may be a string or contain strings."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                inner = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return
            for part in ast.walk(inner):
                ast.copy_location(part, node)
            node = inner
        if node is not None:
            self._visit(node)
            for part in expressions.strings_in(node):
                self._annotation(part)

    def _except_handler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self._visit(node.type)
        if node.name:
            self.scopes.bind(node.name, None)
        self._visit_all(node.body)

    def _pattern(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        self._visit_parts(node)
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            self.scopes.bind(name, None)

    # Scopes, and branches that guard against missing names.

    def _try(self, node: ast.Try) -> None:
        is_guarded = any(expressions.catches_absence(handler) for handler in node.handlers)
        start = len(self.uses)
        self._visit_guarded(node.body, is_guarded)
        # If the program's TensorFlow lacks a name of the body, the handler runs.
        fails = is_guarded and any(self._is_absent(use.name) for use in self.uses[start:])
        self._branches += 1
        self._handlers += not fails
        self._visit_guarded(node.handlers, is_guarded)
        self._handlers -= not fails
        self._visit_guarded([*node.orelse, *node.finalbody], is_guarded)
        self._branches -= 1

    def _is_absent(self, name: str) -> bool:
        """Returns whether the program's TensorFlow, if known, lacks a name of the other."""
        absent = {"1": "v2", "2": "v1"}.get(self._version[:1])
        if absent is None or name.startswith("tf.python"):
            return False
        if absent == "v1" and name.startswith(("tf.contrib", "tf.examples")):
            return True
        return any(name == n or name.startswith(f"{n}.") for n in tables.names_of(absent))

    def _if(self, node: ast.If) -> None:
        self._visit(node.test)
        words = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        words |= {part.attr for part in ast.walk(node.test) if isinstance(part, ast.Attribute)}
        is_deferred = not self._is_main and "__name__" in words
        checks_version = any(
            marker in word for word in words for marker in ("VERSION", "version", "hasattr")
        )
        # The branch for TensorFlow 2 is not needed. The other branch tells the version as before.
        asks_for_2 = any("tf2" in word.lower() for word in words)
        is_negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        self._functions += is_deferred
        self._branches += 1
        result = version_tests.outcome(node.test, self._version) if self._version else None
        self.scopes.branches(
            lambda: self._visit_guarded(
                node.body, checks_version or (asks_for_2 and not is_negated)
            ),
            lambda: self._visit_guarded(node.orelse, checks_version or (asks_for_2 and is_negated)),
            branch_index=None if result is None else int(not result),
        )
        self._branches -= 1
        self._functions -= is_deferred

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        arguments = node.args
        all_arguments = [
            *(arg for arg in (arguments.vararg, arguments.kwarg) if arg),
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
        ]
        for arg in all_arguments:
            self._annotation(arg.annotation)
        self._visit_all([*arguments.defaults, *(d for d in arguments.kw_defaults if d)])
        own_names = expressions.arguments(arguments, self.scopes)
        body: list[Any] = [node.body]
        if not isinstance(node, ast.Lambda):
            body = node.body
            self._visit_all(node.decorator_list)
            self._annotation(node.returns)
            self._bind(node.name, None)
        outer, guards = self.scopes.current, self._guards

        def read_body() -> None:
            outer_state, self._guards = (self._guards, self._branches, self._functions), guards
            self._branches, self._functions = 0, 1
            with self.scopes.inside("function", own_names, outer):
                self._visit_all(body)
            self._guards, self._branches, self._functions = outer_state

        # Functions with a `global` statement are read first, because others may use their bindings.
        if any(isinstance(part, ast.Global) for part in body):
            self._later.appendleft(read_body)
        else:
            self._later.append(read_body)

    def _class(self, node: ast.ClassDef) -> None:
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        self._bind(node.name, None)
        with self.scopes.inside("class", {}):
            self._visit_all(node.body)

    def _comprehension(self, node: Any) -> None:
        with self.scopes.inside("comprehension", {}):
            for generator in node.generators:
                self._visit(generator)
            parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
            self._visit_all([*parts])

    def _visit_guarded(self, nodes: list[Any], is_guarded: bool) -> None:
        self._guards += is_guarded
        self._visit_all(nodes)
        self._guards -= is_guarded

    def _full_name(self, node: ast.AST) -> str | None:
        return expressions.full_name(node, self.scopes)

    def _add(self, full_name: str, node: ast.AST, form: str = "name") -> None:
        # Several star imports may provide the name. The caller resolves the alternatives.
        name = full_name if ".*." in full_name else public_spelling(full_name)
        self._use(name, node, form)

    def _use(self, name: str, node: Any, form: str) -> None:
        self.uses.append(
            Use(
                name,
                self._file,
                node.lineno,
                bool(self._guards),
                not self._functions,
                node.col_offset,
                node.end_lineno or node.lineno,
                node.end_col_offset or 0,
                form,
                self._other_names(name, node) if form == "name" else (),
            )
        )

    def _other_names(self, name: str, node: ast.AST) -> tuple[str, ...]:
        """Returns the other possible names, for `Use.others`."""
        names = self._candidates_of(node) if self._is_local is not None else []
        spellings = {o if ".*." in o else public_spelling(o) for o in names}
        return tuple(sorted(spellings - {name}))


_VISITORS: dict[type, Callable[[_Reader, Any], None]] = {
    ast.Import: _Reader._import,
    ast.ImportFrom: _Reader._import_from,
    ast.Assign: _Reader._assign,
    ast.AnnAssign: _Reader._assign_typed,
    ast.Global: _Reader._global,
    ast.Name: _Reader._name,
    ast.Attribute: _Reader._attribute,
    ast.NamedExpr: _Reader._walrus,
    ast.Subscript: _Reader._subscript,
    ast.Call: _Reader._call,
    ast.Try: _Reader._try,
    ast.ExceptHandler: _Reader._except_handler,
    ast.If: _Reader._if,
    **dict.fromkeys((ast.MatchAs, ast.MatchStar, ast.MatchMapping), _Reader._pattern),
    ast.ClassDef: _Reader._class,
    **dict.fromkeys(_FUNCTIONS, _Reader._function),
    **dict.fromkeys(
        (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _Reader._comprehension
    ),
}
_VISITORS |= {ast.Constant: lambda reader, node: None}
if hasattr(ast, "TryStar"):  # from Python 3.11
    _VISITORS[ast.TryStar] = _Reader._try
