"""Writes out all calls of factories in a file, in steps: a result may contain further calls.

    step = next_step(file, PARTS)
    draft = expanded(file, PARTS)
    draft.file, draft.origin(12)

The draft tells which Estimators could be replaced then. A rule makes the edits of one step.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.analysis.other_functions import Definition
from migrate.rewrite.engine import bindings, imports
from migrate.rewrite.engine.parsed_text import Function
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.factories import expansion, factory
from migrate.rewrite.factories.expansion import Written
from migrate.rewrite.model_fns import NotUnderstood

_MAX_STEPS = 8  # Ends the expansion of functions that call each other.
_WIDTH = 99


class Step(NamedTuple):
    """One step of writing out calls.

    Attributes:
      edits: Edits of the step. Empty if no call can be written out.
      imports: Modules that they need.
      problems: Calls that cannot be written out, with the reasons.
    """

    edits: tuple[Edit, ...]
    imports: tuple[Import, ...]
    problems: tuple[tuple[ast.Call, str], ...]


class Draft(NamedTuple):
    """A copy of a file in which all calls are written out.

    Attributes:
      file: The copy.
      origins: Line of the original file that each line of the copy comes from.
    """

    file: SourceFile
    origins: tuple[int, ...]

    def origin(self, line: int) -> int:
        """Returns the line of the original file that a line comes from."""
        return self.origins[line - 1]

    def functions(self, original: SourceFile, edits: Collection[Edit]) -> set[Function | None]:
        """Returns the functions of the original file in which edits of the draft are.

        Args:
          original: The original file.
          edits: The edits.
        """
        lines = {self.origin(self.file.line_of(edit.start)) for edit in edits}
        return {_function_around(original, line) for line in lines}


def _function_around(file: SourceFile, line: int) -> Function | None:
    """Returns the innermost function that a line is in. None at the module's level."""
    functions = [
        node
        for node in file.nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(functions, key=lambda node: node.lineno, default=None)


def next_step(
    file: SourceFile,
    classes: Collection[str],
    functions: Collection[Function | None] | None = None,
) -> Step:
    """Returns the next step of writing out the calls in a file.

    Args:
      file: The file.
      classes: Names of the classes whose objects the functions make.
      functions: Functions whose calls to write out, with None for the module, or None for all.
    """
    calls = _calls(file, classes)
    if functions is not None:
        calls = [pair for pair in calls if file.function(pair[0]) in functions]
    texts: dict[ast.Call, Written] = {}
    problems: list[tuple[ast.Call, str]] = []
    spans: list[tuple[int, int]] = []
    taken_names: dict[Function | None, set[str]] = {}
    for call, called in calls:
        start, end = file.span(file.statement(call))
        try:
            names = taken_names.setdefault(file.function(call), set())
            text = expansion.written(file, call, called, names)
        except NotUnderstood as error:
            problems.append((call, f"{error} (line {called.function.lineno}{_place(called)})"))
            continue
        # Two calls of a statement change one after the other.
        if not any(start < last and first < end for first, last in spans):
            spans.append((start, end))
            texts[call] = text
    edits = [edit for text in texts.values() for edit in text.edits]
    edits += _import_edits(file, texts)
    edits += _removals(file, classes, list(texts))
    modules = {module for text in texts.values() for module in text.imports}
    return Step(
        tuple(dict.fromkeys(edits)),
        tuple(sorted(modules)),
        tuple(problems),
    )


def _place(called: Definition) -> str:
    return f" of {called.file.path.rpartition('/')[2]}" if called.name else ""


def expanded(file: SourceFile, classes: Collection[str]) -> Draft:
    """Returns a copy of a file in which all calls are written out that can be.

    Args:
      file: The file.
      classes: Names of the classes whose objects the functions make.
    """
    draft = Draft(file, tuple(range(1, file.text.count("\n") + 2)))
    for _ in range(_MAX_STEPS):
        step = next_step(draft.file, classes)
        if not step.edits:
            break
        draft = _applied(draft, step)
    return draft


def _applied(draft: Draft, step: Step) -> Draft:
    """Returns a draft after another step."""
    file = draft.file
    edits = sorted({*step.edits, *imports.new_imports(file, step.imports)})
    pieces: list[str] = []
    origins = [1]
    at = 0
    for edit in [*edits, Edit(len(file.text), len(file.text), "")]:
        kept = file.text[at : edit.start]
        origins += [file.line_of(at + match.end()) for match in re.finditer("\n", kept)]
        if not edit.text and file.line_start(origins[-1]) == edit.start:
            origins[-1] = file.line_of(edit.end)  # Whole lines are removed.
        origins += [file.line_of(edit.start)] * edit.text.count("\n")
        pieces += [kept, edit.text]
        at = edit.end
    new_file = SourceFile("".join(pieces), file.path, file.plan)
    return Draft(new_file, tuple(draft.origin(min(line, len(draft.origins))) for line in origins))


def _calls(file: SourceFile, classes: Collection[str]) -> list[tuple[ast.Call, Definition]]:
    """Returns the calls to write out, inner calls first.

    A function that is written out itself keeps its calls.
    """
    calls = []
    for node in file.nodes:
        called = factory.of_call(file, node, classes) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and called is not None:
            calls.append((node, called))
    functions = {called.function for _, called in calls}
    outside = [pair for pair in calls if file.function(pair[0]) not in functions]
    return sorted(outside, key=lambda pair: file.span(pair[0])[1])


def _removals(
    file: SourceFile, classes: Collection[str], calls: Sequence[ast.Call]
) -> Iterator[Edit]:
    """Yields the edits that remove functions of the file which nothing calls any longer."""
    functions = [*factory.functions_of(file, classes)]
    if file.plan.is_shared:
        functions = [function for function in functions if function.name.startswith("_")]
    called = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    removed: list[ast.FunctionDef] = []
    while True:
        unused = [
            function
            for function in functions
            if function not in removed
            and (function.name in called or removed)
            and not _is_named(file, function, [*calls, *removed, function])
        ]
        if not unused:
            break
        removed += unused
    for function in removed:
        yield bridged_configs.removal(file, function)


def _is_named(file: SourceFile, function: ast.FunctionDef, outside: Sequence[ast.AST]) -> bool:
    """Says whether code outside of some nodes names a function."""
    left_out = {
        id(part)
        for node in outside
        for part in (ast.walk(node) if isinstance(node, ast.FunctionDef) else (_function(node),))
    }
    for node in file.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        name = node.value if isinstance(node, ast.Constant) else name
        if name == function.name and id(node) not in left_out:
            return True
    return False


def _function(node: ast.AST) -> ast.AST:
    return node.func if isinstance(node, ast.Call) else node


def _import_edits(file: SourceFile, texts: dict[ast.Call, Written]) -> Iterator[Edit]:
    """Yields the edits of the imports of functions whose calls are written out.

    Names that the new text needs take the place of those that nothing uses any longer.
    """
    new_names: dict[str, dict[str, str]] = {}
    for call, text in texts.items():
        if isinstance(call.func, ast.Name):
            new_names.setdefault(call.func.id, {}).update(text.imported)
    for node in file.nodes:
        if not isinstance(node, ast.ImportFrom):
            continue
        aliases = {alias.asname or alias.name: file.segment(alias) for alias in node.names}
        if not aliases.keys() & new_names.keys():
            continue
        added = {
            own_name: f"{name} as {own_name}" if own_name != name else name
            for alias in aliases.keys() & new_names.keys()
            for name, own_name in new_names[alias].items()
        }
        kept = {
            name: text
            for name, text in aliases.items()
            if name not in new_names or file.plan.is_shared or _is_read(file, name, texts)
        }
        names = {**(kept or ({} if added else dict([*aliases.items()][:1]))), **added}
        if [*names] != [*aliases]:
            yield from file.replacement(node, _import_text(file, node, [*names.values()])).edits


def _is_read(file: SourceFile, name: str, calls: Collection[ast.Call]) -> bool:
    return bindings.count_reads(file, name, [call.func for call in calls]) > 0


def _import_text(file: SourceFile, node: ast.ImportFrom, names: Sequence[str]) -> str:
    """Returns the text of an import statement, over several lines if it is long."""
    head = f"from {'.' * node.level}{node.module or ''} import "
    indent = file.indent(node.lineno)
    if len(indent) + len(head) + len(", ".join(names)) <= _WIDTH:
        return head + ", ".join(names)
    lines = "".join(f"{indent}    {name},{file.newline}" for name in names)
    return f"{head}({file.newline}{lines}{indent})"
