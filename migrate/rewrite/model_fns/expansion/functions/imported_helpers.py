"""Copies functions and classes of other files that a model_fn calls into the copy of its file.

draft = with_helpers(draft)

For example, the model_fn of `task.py` calls `losses.compute_loss(labels, logits)`. The functions
that it calls in `losses.py` follow at the end of the copy, and `inlining` replaces the call by
their statements. Functions that a Keras model may call as they are stay in their file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.rewrite.analysis.other_functions import ClassDefinition, Definition
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining, instances
from migrate.rewrite.model_fns.expansion.functions.other_names import Names
from migrate.rewrite.model_fns.rendering import Rendered

_MAX_HELPERS = 20


@expansion
def with_helpers(draft: Draft) -> Draft:
    """Returns a copy of a file that contains the functions of other files.

    Args:
      draft: The copy of the file.

    Raises:
      NotUnderstood: A name of such a function means nothing in this file.
    """
    for _ in range(_MAX_HELPERS):
        call, definition = next(_calls(draft), (None, None))
        if call is None or definition is None:
            break
        called = [
            node.func
            for node in ast.walk(draft.function)
            if isinstance(node, ast.Call)
            and draft.file.imported_name_of(node.func) == definition.name
        ]
        copies = _Copies(draft, call, definition)
        name = copies.add(definition.function)
        draft = draft.with_helpers(called, name, copies.texts, copies.imports)
    return draft


def _calls(draft: Draft) -> Iterator[tuple[ast.Call, Definition | ClassDefinition]]:
    """Yields the calls of functions and classes of other files that a Keras model cannot make."""
    silent = draft.file.plan.decisions.silent_functions
    for node in ast.walk(draft.function):
        if not isinstance(node, ast.Call) or draft.file.imported_name_of(node.func) in silent:
            continue
        class_definition = checks.class_of(draft.file, node.func)
        if class_definition is not None and instances.makes_layers(
            class_definition.file, class_definition.function
        ):
            yield node, class_definition
        definition = checks.helper_of(draft.file, node.func)
        if definition is None:
            continue
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        takes_mode = any("mode" in slices.read(argument) for argument in arguments)
        name = definition.function.name
        if takes_mode or not checks.is_plain(definition.file, name, has_labels=True):
            yield node, definition


class _Copies:
    """Copies of a function or a class of another file, and of the functions there that it calls.

    Attributes:
      texts: Texts of the functions, by their names in the copy.
      imports: Modules that they need, with their names in the copy.
    """

    def __init__(
        self, draft: Draft, call: ast.Call, definition: Definition | ClassDefinition
    ) -> None:
        self._draft, self._definition = draft, definition
        self._names = Names(draft.file, call, definition)
        self._new_names: dict[ast.FunctionDef | ast.ClassDef, str] = {}
        self.texts: dict[str, str] = {}

    @property
    def imports(self) -> dict[Import, str]:
        modules = sorted(self._names.imports | self._names.other_imports)
        return {module: self._draft.file.module_name(module) for module in modules}

    def add(self, definition: ast.FunctionDef | ast.ClassDef) -> str:
        """Adds a function or a class. Returns its name in the copy."""
        if definition in self._new_names:
            return self._new_names[definition]
        used_names = {*inlining.names_of(self._draft), *self._new_names.values()}
        name = inlining.free_name(definition.name, used_names)
        self._new_names[definition] = name
        file = self._definition.file
        rendered = Rendered(file)
        if isinstance(definition, ast.ClassDef):
            functions = [part for part in definition.body if isinstance(part, ast.FunctionDef)]
        else:
            functions = [definition]
        for function in functions:
            self._rename(function, rendered)
        text = rendered.statement(definition, "")
        keyword = "class" if isinstance(definition, ast.ClassDef) else "def"
        pattern = rf"\b{keyword} {definition.name}\b"
        self.texts[name] = re.sub(pattern, f"{keyword} {name}", text, count=1)
        return name

    def _rename(self, function: ast.FunctionDef, rendered: Rendered) -> None:
        """Gives the names that a function reads from its module those of the copy."""
        local = slices.bound_inside(function) | {
            argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)
        }
        local |= slices.of_comprehensions(function)
        inner = [part for part in ast.walk(function) if isinstance(part, ast.FunctionDef)]
        local = local.union(*map(slices.bound_inside, inner))
        for node in _evaluated(function):
            if isinstance(node, ast.Name) and node.id not in local:
                text = self._text(node.id)
                if text != node.id:
                    rendered.replace(node, text)

    def _text(self, name: str) -> str:
        """Returns the text for a name of the other file."""
        file = self._definition.file
        bound = [node for node in bindings.binders(file, name) if file.function(node) is None]
        function = bound[0] if len(bound) == 1 else None
        if isinstance(function, ast.ClassDef) and instances.makes_layers(file, function):
            return self.add(function)
        if (
            not isinstance(function, ast.FunctionDef)
            or function.decorator_list
            or file.parent(function) is not file.tree
            or checks.is_plain(file, name, has_labels=True)
        ):
            return self._names.text(name)
        return self.add(function)


def _evaluated(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yields the nodes of a function that run: all but its annotations."""
    for node in (*function.args.defaults, *function.args.kw_defaults, *function.body):
        if node is not None:
            yield from ast.walk(node)
