"""Adds imports that new code needs, and removes imports that became unused."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import SourceFile

_PACKAGES = ("tensorflow", "tensorflow_estimator")
# Statements that make the body of a `try` too long to put new imports around it.
_COMPOUND = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.With)
_MARKER = "# migrate: "
# Prefixes of the modules whose unused imports are removed.
_REMOVABLE = ("tensorflow", "tf_keras", "@legacy", "@tf_keras", "@absl")


def new_imports(file: SourceFile, modules: Iterable[Import]) -> list[Edit]:
    """Returns the edits that import modules, where a file does not import them yet.

    They stand next to the file's own import of TensorFlow: modules that must come first above it,
    the others below it.

    Args:
      file: The file.
      modules: The modules.
    """
    missing = {module for module in modules if file.import_of(module) is None}
    before = sorted(
        {module.statement(file.module_name(module)) for module in missing if module.first}
    )
    after = sorted(
        {module.statement(file.module_name(module)) for module in missing if not module.first}
    )
    return _at_top(file, before, after) if missing else []


def _at_top(file: SourceFile, before: Iterable[str], after: Iterable[str]) -> list[Edit]:
    """Returns the edits that put imports above and below the file's own import of TensorFlow."""
    statement = _import_of_tensorflow(file)
    if statement is None:
        at = _after_imports(file)
        return [Edit(at, at, "".join(line + file.newline for line in [*before, *after]))]
    start = file.line_start(statement.lineno)
    edits = [Edit(start, start, "".join(line + file.newline for line in before))] if before else []
    if after:
        end = file.line_end(statement.end_lineno or statement.lineno)
        edits.append(Edit(end, end, "".join(file.newline + line for line in after)))
    return edits


def top_imports(before: SourceFile, after: SourceFile) -> list[Edit]:
    """Returns the edits that add imports at the top for new code that stands above the file's own.

    Args:
      before: The file before the changes.
      after: The file with its changes.
    """
    imports_of_names = _early_uses(after)
    missing = {imports_of_names[name] for name in set(imports_of_names) - set(_early_uses(before))}
    if not missing:
        return []
    ours = {text for text in missing if text.startswith(("from legacy", "import legacy"))}
    return _at_top(after, sorted(ours), sorted(missing - ours))


def _early_uses(file: SourceFile) -> dict[str, str]:
    """Returns the modules that are used above their first import, each with that import."""
    first_imports: dict[str, tuple[int, str]] = {}
    for node in file.nodes:
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or file.function(node) is not None:
            continue
        for alias in node.names:
            name = alias.asname or alias.name
            if name in file.exported and name not in file.rebound:
                candidate = node.lineno, _single_import(node, alias)
                first_imports[name] = min(candidate, first_imports.get(name, candidate))
    early = {
        node.id
        for node in file.nodes
        if isinstance(node, ast.Name)
        and node.lineno < first_imports.get(node.id, (0, ""))[0]
        and bindings.scope(file, node) is None
    }
    return {name: first_imports[name][1] for name in early}


def _single_import(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """Returns the text of an import of one name."""
    if isinstance(statement, ast.Import):
        return ast.unparse(ast.Import([alias]))
    return ast.unparse(ast.ImportFrom(statement.module, [alias], statement.level))


def _import_of_tensorflow(file: SourceFile) -> ast.stmt | None:
    """Returns the first statement of the module that imports something of TensorFlow.

    A `try` counts if it holds little else, because its body may already use the new imports.
    """
    for statement in file.tree.body:
        inside = [statement] if not isinstance(statement, ast.Try) else [*ast.walk(statement)]
        if any(isinstance(node, _COMPOUND) for node in inside[1:]):
            continue
        for node in inside:
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            if any(module.partition(".")[0] in _PACKAGES for module in modules):
                return statement
    return None


def _after_imports(file: SourceFile) -> int:
    """Returns the offset after the docstring and the imports at the start of a file."""
    line = 0
    for i, statement in enumerate(file.tree.body):
        is_docstring = i == 0 and isinstance(statement, ast.Expr)
        if not is_docstring and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        line = statement.end_lineno or statement.lineno
    return file.line_start(line + 1)


def unused_imports(before: SourceFile, after: SourceFile) -> Iterator[Edit]:
    """Yields the edits that remove imports whose names the changes made unused.

    Args:
      before: The file before the changes.
      after: The file with its changes.
    """
    unused_names = _loaded_names(before) - _loaded_names(after)
    # A change may import a module that a later change makes unused.
    unused_names |= _imported_names(after) - _imported_names(before) - _loaded_names(after)
    for statement in after.tree.body:
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            continue
        unused_aliases = [
            alias for alias in statement.names if _is_unused(after, alias, unused_names)
        ]
        if not unused_aliases:
            continue
        other_aliases = [alias for alias in statement.names if alias not in unused_aliases]
        if not other_aliases and any(_is_of_program(after, alias) for alias in unused_aliases):
            continue  # The import may define flags.
        if not other_aliases:
            start = after.line_start(statement.lineno)
            end = after.line_start((statement.end_lineno or statement.lineno) + 1)
            statement_start, statement_end = after.span(statement)
            rest = after.text[start:statement_start] + after.text[statement_end:end]
            if not rest.partition("#")[0].strip():
                yield Edit(_marker_start(before, after, start), end, "")
            continue
        start, end = after.span(statement.names[0])[0], after.span(statement.names[-1])[1]
        if "#" not in after.text[start:end] and "\n" not in after.text[start:end]:
            yield Edit(start, end, ", ".join(after.segment(alias) for alias in other_aliases))


def _marker_start(before: SourceFile, after: SourceFile, start: int) -> int:
    """Returns the start of the marker comment that a change put above an import.

    Args:
      before: The file before the changes.
      after: The file with its changes.
      start: Start of the import, which is returned if there is no such comment.
    """
    lines: list[str] = []
    for line in reversed(after.text[:start].splitlines(keepends=True)):
        if not line.startswith("#"):
            break
        lines.insert(0, line)
        if line.startswith(_MARKER):
            comment = "".join(lines)
            return start if comment in before.text else start - len(comment)
    return start


def _is_unused(file: SourceFile, alias: ast.alias, unused_names: set[str]) -> bool:
    if alias.asname is None and "." in alias.name:
        return False  # It also loads a submodule, which may be used under another name.
    name = alias.asname or alias.name
    value = file.exported.get(name, "")
    is_removable = value.startswith(_REMOVABLE) or (
        _is_of_program(file, alias) and not file.plan.is_shared
    )
    # A quoted name may be an entry of `__all__`, or a type annotation.
    quoted = f'"{name}"' in file.text or f"'{name}'" in file.text
    return name in unused_names and is_removable and not quoted


def _is_of_program(file: SourceFile, alias: ast.alias) -> bool:
    value = file.exported.get(alias.asname or alias.name, "")
    return value.startswith("@") and not value.startswith(_REMOVABLE)


def _imported_names(file: SourceFile) -> set[str]:
    """Returns the names that the import statements of a module bind."""
    imports = (node for node in file.tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {alias.asname or alias.name for statement in imports for alias in statement.names}


def _loaded_names(file: SourceFile) -> set[str]:
    return {
        node.id
        for node in file.nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
