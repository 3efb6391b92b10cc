"""Imports TensorFlow 1 in programs written for it, and removed modules from legacy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import legacy_names, symbol_index, symbol_places

_V1 = "tensorflow.compat.v1"
# An import by the path of the attribute would load another module, with other classes.
_LOADED_LATER = {
    f"{_V1}.nn.rnn_cell": "legacy.contrib.rnn",
    f"{_V1}.python.keras": "tensorflow.python.keras",
}


class _Binding(NamedTuple):
    """A name that an import binds.

    Attributes:
      module: Module that is imported.
      name: Name in the module, or "" for the module itself.
      local: Name in this file.
      literal: Value that replaces the import of a constant.
    """

    module: str
    name: str
    local: str
    literal: str = ""

    def text(self) -> str:
        if self.literal:
            return f"{self.local} = {self.literal}"
        if not self.name:
            suffix = "" if self.local == self.module else f" as {self.local}"
            return f"import {self.module}{suffix}"
        return f"from {self.module} import {self.part()}"

    def part(self) -> str:
        return self.name + ("" if self.local in ("", self.name) else f" as {self.local}")


def _find(file: SourceFile) -> Iterator[Change]:
    is_behavior_set = _is_behavior_set(file)
    for node in file.nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            old = [_binding(node, alias) for alias in node.names]
            if not any(legacy_names.is_old(_full_name(binding)) for binding in old):
                continue
            new = [
                new_binding
                for binding in old
                for new_binding in _bindings_next_to_v1(file, _current_binding(file, binding))
            ]
            edits = [] if new == old else [_edit(file, node, old, new)]
            tf_names = [b.local for b in new if _full_name(b) == _V1]
            if tf_names and not is_behavior_set and (old != new or not _runs_as_written(file)):
                edits.append(_switch(file, node, tf_names[0]))
            if edits:
                yield Change(node.lineno, tuple(edits))


def _runs_as_written(file: SourceFile) -> bool:
    """Says whether a file that already imports tf.compat.v1 needs no call of disable_v2_behavior.

    A program of TensorFlow 1 may import that module, too. There, its behavior was the default.
    """
    return file.plan.program.api != "v1" or file.plan.program.uses(_sets_behavior)


def _sets_behavior(name: str) -> bool:
    return name.endswith((".disable_v2_behavior", ".disable_eager_execution"))


def _is_behavior_set(file: SourceFile) -> bool:
    """Says whether the program sets its behavior, so that an import must not disable TensorFlow 2.

    Either the file disables it, or another file turns eager execution on. A later import of this
    file would turn eager execution off again.
    """
    names = [use.name for use in file.uses]
    if any(name.endswith(".disable_v2_behavior") for name in names):
        return True
    return file.plan.program.uses(enables_eager) and not any(map(enables_eager, names))


def enables_eager(name: str) -> bool:
    """Says whether a name is a function that turns eager execution on."""
    return name.endswith((".enable_eager_execution", ".enable_v2_behavior"))


def _switch(file: SourceFile, node: ast.stmt, name: str) -> Edit:
    """Returns the edit that calls disable_v2_behavior() after an import."""
    line = node.end_lineno or node.lineno
    rest = file.text[file.span(node)[1] : file.line_end(line)].strip()
    call = f"{name}.disable_v2_behavior()"
    prefix = file.text[file.line_start(node.lineno) : file.span(node)[0]].strip()
    # The import shares its line with other statements.
    if prefix or rest.startswith(";"):
        end = file.span(node)[1]
        return Edit(end, end, f"; {call}")
    end = file.line_end(line)
    return Edit(end, end, f"{file.newline}{file.indent(node.lineno)}{call}")


def _binding(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> _Binding:
    if isinstance(node, ast.ImportFrom):
        return _Binding(
            "." * node.level + (node.module or ""), alias.name, alias.asname or alias.name
        )
    return _Binding(alias.name, "", alias.asname or alias.name)


def _full_name(binding: _Binding) -> str:
    if not binding.name or binding.name == "*":
        return binding.module
    return f"{binding.module}.{binding.name}"


def _current_binding(file: SourceFile, old: _Binding) -> _Binding:
    """Returns the current binding. It is the old one if that works, or if nothing provides it."""
    full_name = _full_name(old)
    if not legacy_names.is_old(full_name):
        return old
    if not old.name and old.local == old.module and "." in old.module:
        # `import tensorflow.contrib.slim` binds `tensorflow`. Uses of slim are rewritten as names.
        if legacy_names.home_of(file, old.module) == old.module:
            return old
        old, full_name = _Binding("tensorflow", "", "tensorflow"), "tensorflow"
    constant = symbol_places.constant(full_name)
    if constant is not None:
        return _Binding("", "", old.local, constant)
    place = legacy_names.home_of(file, full_name)
    if place is None or place == full_name:
        return old
    if old.name == "*" or (not old.name and _is_module(place)):
        return _Binding(_module_to_import(place), old.name, old.local)
    module, _, name = place.rpartition(".")
    if place in _LOADED_LATER:
        module, _, name = _LOADED_LATER[place].rpartition(".")
    return _Binding(_LOADED_LATER.get(module, module), name, old.local)


def _bindings_next_to_v1(file: SourceFile, new: _Binding) -> list[_Binding]:
    """Returns the bindings for one import, so that `tensorflow` remains TensorFlow 1.

    `import tensorflow.python.client` binds today's `tensorflow`, which contains other names. So the
    module gets its own name if the file uses `tensorflow` for more than private modules.
    """
    is_dotted = not new.name and new.local == new.module and "." in new.module
    if not is_dotted or file.plan.program.api != "v1" or not _uses_tensorflow(file):
        return [new]
    name = file.new_name(f"tf_{new.module.rpartition('.')[2]}", f"module {new.module}")
    return [_Binding(_V1, "", "tensorflow"), new._replace(local=name)]


def _uses_tensorflow(file: SourceFile) -> bool:
    """Says whether a file uses a name after `tensorflow.` that is not in a private module."""
    for match in file.names():
        base: ast.expr = match.node
        while isinstance(base, ast.Attribute):
            base = base.value
        is_plain = isinstance(base, ast.Name) and base.id == "tensorflow"
        if is_plain and legacy_names.home_of(file, match.full_name) != match.full_name:
            return True
    return False


def _is_module(place: str) -> bool:
    return symbol_index.is_module(place) or not place.startswith("legacy.")


def _module_to_import(place: str) -> str:
    return _LOADED_LATER.get(place, place)


def _edit(
    file: SourceFile, node: ast.Import | ast.ImportFrom, old: list[_Binding], new: list[_Binding]
) -> Edit:
    """Returns the edit of a statement, or only of its module if the rest stays."""
    start, end = file.span(node)
    text = file.text[start:end]
    modules = {binding.module for binding in new}
    same_names = [(o.name, o.local) for o in old] == [(n.name, n.local) for n in new]
    if isinstance(node, ast.ImportFrom) and len(modules) == 1 and same_names:
        match = re.match(r"from\s+([\w.]+)", text)
        if match:
            return Edit(start + match.start(1), start + match.end(1), modules.pop())
    if isinstance(node, ast.Import) and len(new) == 1 and not new[0].name and not new[0].literal:
        return Edit(*file.span(node.names[0]), new[0].text().removeprefix("import "))
    return Edit(start, end, _separator(file, node).join(_statements(new)))


def _separator(file: SourceFile, node: ast.stmt) -> str:
    prefix = file.text[file.line_start(node.lineno) : file.span(node)[0]]
    return "; " if prefix.strip() else file.newline + prefix


def _statements(bindings: list[_Binding]) -> list[str]:
    """Returns statements for bindings, with one statement for all names of a module."""
    lines: dict[str, list[str]] = {}
    for binding in bindings:
        if binding.name:
            lines.setdefault(f"from {binding.module} import ", []).append(binding.part())
        else:
            lines[binding.text()] = []
    # Legacy comes first, because it selects a Keras version before TensorFlow is imported.
    starts = sorted(lines, key=lambda line: " legacy" not in line)
    return [line + ", ".join(lines[line]) for line in starts]


RULE = Rule(
    __name__,
    _find,
    message="A program of TensorFlow 1 imports tf.compat.v1, and imports removed modules from "
    "legacy.",
    source="https://www.tensorflow.org/guide/migrate/migrate_tf2",
    symbols=("tf.contrib.*", "tf.estimator.*", "tf.examples.*", "tensorflow_estimator.*"),
    recipe="sessions_and_graphs",
)
