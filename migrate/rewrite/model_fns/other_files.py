"""Uses the class that a model_fn of another file becomes.

model = of(file, model_fn)
if isinstance(model, ImportedModel):
    print(model.name, [edit.text for edit in model.edits(uses=1)])

A function of another file may also return the class. `builder_of` finds the calls of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.plan import OtherModel
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import MODELS, SourceFile
from migrate.rewrite.model_fns import builders
from migrate.rewrite.model_fns.builders import Result, Returned


class ImportedModel:
    """The class of a model_fn in another file. It has the interface of a KerasModel.

    Attributes:
      name: Name of the class in this file.
      takes_params: Whether the class takes params.
      imports: Empty, because the edits include the import of the class.
      odd_signature: Kind of an export whose input has another name than the request, or "".
      distributes: Whether several replicas may train it. Unused here, because the change of the
        file that defines the class handles replicas.
    """

    imports: tuple[Import, ...] = ()
    check = None  # The change of the file that defines the class has the check.

    def __init__(self, file: SourceFile, node: ast.expr, model: OtherModel) -> None:
        """Chooses the name of the class in this file.

        Args:
          file: The file.
          node: The model_fn, as the file names it.
          model: Facts about the class.
        """
        self._file, self._node, self._class = file, node, model.name
        self._star = model.star
        self.takes_params = model.takes_params
        self._keeps_name = model.is_returned or model.is_constant
        self.odd_signature, self.distributes = model.odd_signature, False
        if model.is_returned:
            self.name = model.name
        elif model.is_constant:
            self.name = file.segment(node)
        elif isinstance(node, ast.Attribute):
            self.name = f"{file.segment(node.value)}.{model.name}"
        else:
            # The explicit import of the class has the last word, after all `import *`.
            meaning = ("the class of", file.name_of(node))
            self.name = file.new_name(model.name, meaning, is_public=bool(model.star))

    def edits(self, uses: int) -> Iterator[Edit]:
        """Yields the edits that import the class in place of the function.

        Args:
          uses: Number of uses of the model_fn's name that are removed.
        """
        if self._keeps_name or not isinstance(self._node, ast.Name):
            return
        import_text = self._class + (f" as {self.name}" if self.name != self._class else "")
        if self._star:
            end = self._file.line_end(_stars(self._file)[-1].end_lineno or 1)
            text = f"{self._file.newline}from {self._star} import {import_text}"
            yield Edit(end, end, text)
            return
        stays = bindings.count_reads(self._file, self._node.id) > uses
        for alias in _import_aliases(self._file, self._node.id):
            text = f"{self._file.segment(alias)}, {import_text}" if stays else import_text
            yield from self._file.replacement(alias, text).edits


def _stars(file: SourceFile) -> list[ast.ImportFrom]:
    """Returns the statements `from module import *`."""
    return [
        node
        for node in file.nodes
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    ]


def _is_imported(file: SourceFile, name: str, star: str) -> bool:
    """Says whether one import brings a name, so that an import of the class can replace it.

    Args:
      file: The file.
      name: The name.
      star: Module from which `import *` brings it, or "" for an import of the name.
    """
    aliases = [*_import_aliases(file, name)]
    if not star:
        return len(aliases) == 1
    stars = _stars(file)
    modules = ["." * node.level + (node.module or "") for node in stars]
    is_plain = all(file.parent(node) is file.tree for node in stars)
    return not aliases and is_plain and modules.count(star) == 1


def _import_aliases(file: SourceFile, name: str) -> Iterator[ast.alias]:
    for node in file.nodes:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if (alias.asname or alias.name) == name:
                yield alias


def of(file: SourceFile, node: ast.expr) -> ImportedModel | str | None:
    """Returns the class of a model_fn in another file, or the reason why it has none.

    Returns None for other model_fns.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    name = file.name_of(node) or ""
    model = file.plan.decisions.imported_models.get(f"@{name.removeprefix(MODELS)}")
    if model is None or not name.startswith(MODELS) or model.is_returned:
        return None
    if model.reason:
        return model.reason
    is_bound = model.is_constant or not isinstance(node, ast.Name)
    if not is_bound and not _is_imported(file, file.segment(node), model.star):
        return None
    return file.computed(_known_models).setdefault(name, ImportedModel(file, node, model))


def constant_of(file: SourceFile, name: str) -> ast.expr | None:
    """Returns the model_fn of another file that a constant of this file stands for, or None.

    For example, `MODEL_FN = models.model_fn`.

    Args:
      file: The file.
      name: Name of the constant.
    """
    binders = [*bindings.binders(file, name)]
    binder = binders[0] if len(binders) == 1 else None
    if not isinstance(binder, ast.Name) or file.parent(file.statement(binder)) is not file.tree:
        return None
    is_changed = {name, f"@{name}"} & file.plan.changed_elsewhere
    if is_changed or bindings.count_reads(file, name):
        return None
    value = bindings.assigned_value(file, binder)
    return value if file.imported_name_of(value) else None


def constant_edits(file: SourceFile, name: str) -> tuple[int, tuple[Edit, ...]] | None:
    """Returns the edits that assign a class to a constant, and their line. None after these.

    Args:
      file: The file.
      name: Name of the constant, as in `Decisions.assigned_models`.
    """
    value = constant_of(file, name)
    if value is None or file.imported_name_of(value) not in file.plan.decisions.imported_models:
        return None
    model = ImportedModel(file, value, file.plan.decisions.assigned_models[name])
    return value.lineno, (Edit(*file.span(value), model.name), *model.edits(uses=1))


def builder_of(file: SourceFile, node: ast.expr) -> tuple[ImportedModel, Returned] | str | None:
    """Returns the class that a function of another file returns, or the reason why it has none.

    Returns None for other model_fns.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    name = builder_name(file, node)
    model = file.plan.decisions.imported_models.get(name)
    if model is None or not model.is_returned:
        return None
    results = results_of(file, name)
    returned = builders.returned(file, node, results or ())
    if model.reason or returned is None:
        return model.reason or f"{name[1:]}() has other uses than to make model_fns of Estimators"
    imported = ImportedModel(file, node, model)
    return file.computed(_known_models).setdefault(name, imported), returned


def builder_name(file: SourceFile, node: ast.expr) -> str:
    """Returns the name of another file's function that returns a model_fn, or "" for others.

    Args:
      file: The file.
      node: The model_fn. For example, `builder()`, or a name to which that is assigned.
    """
    call = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    name = file.name_of(call.func) if isinstance(call, ast.Call) else None
    return f"@{name.removeprefix(MODELS)}" if name is not None and name.startswith(MODELS) else ""


def results_of(file: SourceFile, name: str) -> list[Result] | None:
    """Returns the results of another file's builder. None if anything but an Estimator uses one.

    Args:
      file: The file.
      name: Name of the builder, as in `Decisions.imported_models`.
    """
    references = [match.node for match in file.names() if match.name == MODELS + name[1:]]
    return builders.of_references(file, references)


def _known_models(file: SourceFile) -> dict[str, ImportedModel]:
    """Returns the dictionary of the classes of a file's names, which `of` fills."""
    return {}
