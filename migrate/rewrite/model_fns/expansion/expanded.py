"""Expands a model_fn as far as its analysis needs.

for draft in drafts(file, function):
    read(draft.file, draft.function)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import (
    cell_builders,
    cell_items,
    collected_losses,
    comprehension_loops,
    conditional_metrics,
    layer_objects,
    loop_scopes,
    mode_branches,
    owners,
    records,
    scope_defaults,
    table_statements,
    training_flags,
)
from migrate.rewrite.model_fns.expansion.contrib import (
    argument_scopes,
    normalized_layers,
    rate_functions,
    returned_scopes,
    stacked_layers,
)
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import (
    imported_helpers,
    inlining,
    instances,
    own_names,
    registries,
    short_functions,
)
from migrate.rewrite.model_fns.expansion.functions.helpers import Depth

# Statements of a file that define a name: functions, classes, and partials of functions.
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign


def drafts(file: SourceFile, function: ast.FunctionDef) -> Iterator[Draft]:
    """Yields copies of a file, in each of which more of a model_fn is expanded.

    Args:
      file: The file.
      function: The model_fn.

    Raises:
      NotUnderstood: It cannot be expanded.
    """
    text = file.text
    first = imported_helpers.with_helpers(Draft.of(file, function))
    first = own_names.with_own_names(owners.renamed(first))
    first = returned_scopes.with_scopes(first)
    first = registries.without_registries(short_functions.without_short_functions(first))
    first = cell_items.without_items(cell_builders.without_builders(first))
    for depth in Depth:
        draft = instances.without_objects(_inlined(first, depth))
        draft = cell_items.without_items(cell_builders.without_builders(draft))
        draft = argument_scopes.without_scopes(returned_scopes.with_scopes(draft))
        draft = normalized_layers.without_normalizers(stacked_layers.without_stacks(draft))
        draft = owners.without_state(draft, file)
        draft = collected_losses.without_collection(records.without_records(draft))
        draft = table_statements.with_statements(draft)
        draft = comprehension_loops.without_comprehensions(draft)
        draft = layer_objects.without_objects(draft)
        draft = loop_scopes.without_scopes(scope_defaults.without_defaults(draft))
        draft = training_flags.with_flags(draft)
        draft = conditional_metrics.without_conditions(draft)
        if draft.file.text != text:
            text = draft.file.text
            yield draft


def _inlined(draft: Draft, depth: Depth) -> Draft:
    """Returns a copy of a file with the statements of all helpers, also those that others name.

    For example, a helper returns a train_op if the mode is TRAIN, and its learning rate comes from
    another helper.
    """
    text = ""
    while draft.file.text != text:
        text = draft.file.text
        draft = mode_branches.without_known_tests(inlining.inlined(draft, depth))
        draft = mode_branches.with_branches(draft)
        draft = imported_helpers.with_helpers(draft)  # The statements of helpers may call others.
        draft = rate_functions.without_functions(draft)
    return draft


def removable(
    draft: Draft, file: SourceFile, replaced_functions: list[ast.FunctionDef]
) -> list[Definition]:
    """Returns the definitions of the original file that nothing uses after the change.

    Args:
      draft: The copy of the file.
      file: The original file.
      replaced_functions: Functions that are replaced by classes.
    """
    definitions = [node for node in file.nodes if isinstance(node, Definition)]
    candidates = [node for node in definitions if node.lineno in draft.inlined and _name(node)]
    unused_functions: list[Definition] = []
    inner_ids = {id(node) for function in replaced_functions for node in ast.walk(function)}
    candidates = [function for function in candidates if id(function) not in inner_ids]
    # A decorator may use its function, for example by adding it to a dictionary.
    candidates = [node for node in candidates if not getattr(node, "decorator_list", ())]
    if file.plan.is_shared:
        candidates = [function for function in candidates if _name(function).startswith("_")]
    while True:
        ids = {
            id(node)
            for function in (*replaced_functions, *unused_functions)
            for node in ast.walk(function)
        }
        unused = [
            function
            for function in candidates
            if function not in unused_functions and not _is_used(file, function, ids)
        ]
        if not unused:
            return unused_functions
        unused_functions += unused


def _name(definition: Definition) -> str:
    """Returns the name of a definition, or "" for an assignment to something else than a name."""
    if not isinstance(definition, ast.Assign):
        return definition.name
    target = definition.targets[0]
    return target.id if isinstance(target, ast.Name) and len(definition.targets) == 1 else ""


def _is_used(file: SourceFile, function: Definition, removed_ids: set[int]) -> bool:
    own_ids = {id(node) for node in ast.walk(function)}
    for node in file.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        name = node.value if isinstance(node, ast.Constant) else name
        if name == _name(function) and id(node) not in removed_ids | own_ids:
            return True
    return False
