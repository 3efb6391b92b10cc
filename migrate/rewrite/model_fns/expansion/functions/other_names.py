"""Finds what the names of a function are in the file of its call.

    names = Names(file, call, Definition(other_file, function, "@model.f", is_direct=True))
    names.text("EVAL_INTERVAL")
    names.imports, names.imported

A function of another file may read modules that the file of the call does not import, and other
names of its own file. The file of the call then imports them.
"""

from __future__ import annotations

import ast
import builtins
import os

from migrate.rewrite.analysis.other_functions import ClassDefinition, Definition
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood


class Names:
    """The names of one function in the file of its call.

    Attributes:
      imports: Modules that the file of the call must import.
      imported: Names that it must import from the file of the function, with its names for them.
      other_imports: The same names as imports of their own.
    """

    def __init__(
        self, file: SourceFile, call: ast.Call, definition: Definition | ClassDefinition
    ) -> None:
        """Prepares to find names.

        Args:
          file: The file of the call.
          call: The call.
          definition: The function or the class.
        """
        self._file, self._call, self._definition = file, call, definition
        self._other = definition.file
        self.imports: set[Import] = set()
        self.imported: dict[str, str] = {}
        self.other_imports: set[Import] = set()

    def text(self, name: str) -> str:
        """Returns the text in the file of the call for a name that the function reads.

        Args:
          name: The name. It is not local to the function.

        Raises:
          NotUnderstood: The file of the call cannot use it.
        """
        if not self._definition.name:
            if self._is_shadowed(name):
                raise self._refusal(name, "has another meaning at its call")
            return name
        binders = [
            node
            for node in bindings.binders(self._other, name)
            if None in bindings.owners(self._other, node, name)
        ]
        if not binders:
            return self._builtin(name)
        is_changed = {"*", f"@{name}"} & self._other.plan.changed_elsewhere
        if len(binders) > 1 or is_changed or not self._is_of_module(binders[0]):
            raise self._refusal(name, "may change")
        if isinstance(binders[0], ast.alias):
            return self._module(name, binders[0])
        value = bindings.value_of(self._other, binders[0])
        if isinstance(value, ast.Constant) and value.value is None:
            return "None"  # Rules treat a known None like a missing argument.
        return self._of_other_file(name)

    def _refusal(self, name: str, reason: str) -> NotUnderstood:
        return NotUnderstood(f"{name} in {self._definition.function.name}() {reason}")

    def _is_shadowed(self, name: str) -> bool:
        """Says whether a function around the call binds a name."""
        functions = set()
        function = self._file.function(self._call)
        while function is not None:
            functions.add(function)
            function = self._file.function(function)
        return any(
            not functions.isdisjoint(bindings.owners(self._file, node, name))
            for node in bindings.binders(self._file, name)
        )

    def _builtin(self, name: str) -> str:
        if not hasattr(builtins, name) or [*bindings.binders(self._file, name)]:
            raise self._refusal(name, "is not known at its call")
        return name

    def _is_of_module(self, binder: ast.AST) -> bool:
        """Says whether a node binds its name once, when the module is imported."""
        statement = self._other.statement(binder)
        if isinstance(binder, ast.Name):
            is_plain = isinstance(statement, ast.Assign) and binder in statement.targets
            return is_plain and self._other.parent(statement) is self._other.tree
        return self._other.parent(statement) is self._other.tree

    def _module(self, name: str, alias: ast.alias) -> str:
        """Returns the text for a name that the other file imports."""
        statement = self._other.parent(alias)
        if self._imports_same(name, statement, alias):
            if self._is_shadowed(name):
                raise self._refusal(name, "has another meaning at its call")
            return name
        if isinstance(statement, ast.ImportFrom):
            if statement.level or not statement.module or alias.name == "*":
                raise self._refusal(name, "comes from a relative import")
            module = Import(f"{statement.module}.{alias.name}", name)
        elif alias.asname or "." not in alias.name:
            module = Import(alias.name, name)
        else:
            raise self._refusal(name, "is a package of which it imports a module")
        self.imports.add(module)
        text = self._file.module_name(module)
        if self._is_shadowed(text):
            raise self._refusal(name, "has another meaning at its call")
        return text

    def _imports_same(self, name: str, statement: ast.AST | None, alias: ast.alias) -> bool:
        """Says whether the file of the call has the same import, and no other use of its name."""
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            return False
        is_relative = isinstance(statement, ast.ImportFrom) and statement.level > 0
        folders = {os.path.dirname(file.path) for file in (self._file, self._other)}
        if is_relative and len(folders) > 1:
            return False
        text = ast.unparse(_with_alias(statement, alias))
        nodes = [
            node
            for node in bindings.binders(self._file, name)
            if None in bindings.owners(self._file, node, name)
        ]
        parents = [self._file.parent(node) for node in nodes]
        return bool(nodes) and all(
            isinstance(node, ast.alias)
            and isinstance(parent, (ast.Import, ast.ImportFrom))
            and ast.unparse(_with_alias(parent, node)) == text
            for node, parent in zip(nodes, parents, strict=True)
        )

    def _of_other_file(self, name: str) -> str:
        """Returns the text for a function, a class or a variable of the other file."""
        function = self._call.func
        if isinstance(function, ast.Attribute):
            return f"{self._file.segment(function.value)}.{name}"
        if not _imports(self._file, function):
            return self._of_star(name)
        known = self._definition.name.removesuffix(self._definition.function.name) + name
        for node, other_name in self._file.imported_names.items():
            if (
                other_name == known
                and isinstance(node, ast.Name)
                and not self._is_shadowed(node.id)
            ):
                return node.id
        if not self._definition.is_direct:
            raise self._refusal(name, "is imported through another file")
        module = Import(f"{_module_of(self._file, function)}.{name}", name)
        self.other_imports.add(module)
        self.imported[name] = self._file.module_name(module)
        return self.imported[name]

    def _of_star(self, name: str) -> str:
        """Returns a name that `import *` brings from the file of the function."""
        stars = [
            node
            for node in ast.walk(self._file.tree)
            if isinstance(node, ast.alias)
            if node.name == "*"
        ]
        is_brought = not name.startswith("_") and not [*bindings.binders(self._other, "__all__")]
        if len(stars) != 1 or not is_brought or [*bindings.binders(self._file, name)]:
            raise self._refusal(name, "may be another one after an import *")
        return name


def _module_of(file: SourceFile, node: ast.expr) -> str:
    """Returns the module that an import statement names for a function."""
    name = node.id if isinstance(node, ast.Name) else ""
    (alias,) = (binder for binder in bindings.binders(file, name) if isinstance(binder, ast.alias))
    statement = file.parent(alias)
    assert isinstance(statement, ast.ImportFrom)
    return f"{'.' * statement.level}{statement.module or ''}"


def _imports(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an import statement names a function, rather than `import *`."""
    name = node.id if isinstance(node, ast.Name) else ""
    return any(isinstance(binder, ast.alias) for binder in bindings.binders(file, name))


def _with_alias(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    """Returns an import statement with only one of its names."""
    if isinstance(statement, ast.Import):
        return ast.Import([alias])
    return ast.ImportFrom(statement.module, [alias], statement.level)
