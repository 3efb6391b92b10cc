"""Replaces optimizers of tf_keras by those that compute the same in Keras 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.arguments import Arguments
from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.keras3 import names

_SUMMED_ROWS = Import("modern.optimizers.summed_rows", "summed_rows")
_CHOSEN = Import("modern.optimizers.chosen", "chosen")
# Optimizers that square the gradient of each occurrence of an id.
_OF_ROWS = (
    *("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lion", "Nadam"),
    "RMSprop",
)
_SUMMED = ("Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Nadam", "RMSprop")
_STRINGS = {name.lower(): name for name in _SUMMED}
# Optimizers of modern.optimizers.chosen, with the parameters that they have.
_OF_CHOSEN = {
    "SGD": ("learning_rate", "momentum", "name"),
    "Adagrad": ("learning_rate", "initial_accumulator_value", "epsilon", "name"),
    "Ftrl": (
        *("learning_rate", "learning_rate_power", "initial_accumulator_value"),
        *("l1_regularization_strength", "l2_regularization_strength", "name"),
    ),
}
# Legacy optimizers of Keras 2 that compute as those of Keras 3 do, with sums of rows.
_AS_LEGACY = ("Adam",)
_LEGACY_REASONS = {
    "Adadelta": "the legacy optimizer left rows without a gradient alone",
    "Adamax": "the legacy optimizer left rows without a gradient alone",
    "Nadam": "the legacy optimizer had another schedule of its momentum",
    "RMSprop": "the legacy optimizer added epsilon outside of the root",
}
_DROPPED = ("adaptive_epsilon", "is_legacy_optimizer", "jit_compile")
_ROWS = ("Embedding", "embedding_lookup", "embedding_column", "gather", "safe_embedding")
_PREFIXES = ("optimizers.experimental.", "optimizers.legacy.", "optimizers.")


class _Kind(NamedTuple):
    """An optimizer that a program names.

    Attributes:
      name: Its name, such as "Adam".
      is_legacy: Whether it is one of the legacy optimizers.
    """

    name: str
    is_legacy: bool


def _find(file: SourceFile) -> Iterator[Change]:
    for path, match, is_v1 in names.of_tf_keras(file):
        kind = _kind_of(path, is_v1)
        if kind is not None:
            change = _change(file, match, kind)
            if any(edit.text != file.text[edit.start : edit.end] for edit in change.edits) or (
                not change.edits
            ):
                yield change._replace(needed=True)
    yield from _by_layer(file)
    if names.uses_tf_keras(file) and _has_rows(file):
        yield from _strings(file)


def _by_layer(file: SourceFile) -> Iterator[Change]:
    """Yields the change from `combined.ByLayer` to that of chosen, which has the same arguments."""
    for statement in file.tree.body:
        if not isinstance(statement, ast.ImportFrom) or statement.module != "modern.optimizers":
            continue
        if [alias.name for alias in statement.names] != ["combined"]:
            continue
        name = statement.names[0].asname or statement.names[0].name
        if name in file.rebound:
            continue
        new = file.module_name(_CHOSEN)
        owners = (
            node.value
            for node in file.nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        )
        edits = [Edit(*file.span(owner), new) for owner in owners if owner.id == name]
        start, end = (file.line_start(statement.lineno + number) for number in (0, 1))
        edits.append(Edit(start, end, ""))
        yield Change(statement.lineno, tuple(sorted(edits)), (_CHOSEN,), needed=True)


def _kind_of(path: str, is_v1: bool) -> _Kind | None:
    prefix = next((prefix for prefix in _PREFIXES if path.startswith(prefix)), None)
    name = path.removeprefix(prefix or "")
    if prefix is None or name not in (*_OF_ROWS, "SGD", "Optimizer"):
        return None
    return _Kind(name, is_v1 or prefix == "optimizers.legacy.")


def _has_rows(file: SourceFile) -> bool:
    """Says whether a gradient may have the rows of a table: a model may have an embedding."""
    is_here = any(name in file.text for name in _ROWS)
    return is_here or file.program_uses(lambda name: any(part in name for part in _ROWS))


def _change(file: SourceFile, match: Match, kind: _Kind) -> Change:
    if match.call is None or kind.name == "Optimizer":
        reason = "a class of its own that derives from an optimizer of tf_keras needs other methods"
        if kind.name == "Optimizer" or isinstance(file.parent(match.node), ast.ClassDef):
            return file.suggestion(match.node, reason)
        return file.replacement(match.node, *_named(file, kind, ()))
    args = arguments.bind(match.call, ("learning_rate",))
    if args is None:
        return file.suggestion(
            match.call, "it is created with *args, **kwargs or several positional arguments"
        )
    call = Arguments(file.segment(match.call))
    call.rename("lr", "learning_rate")
    for name in _DROPPED:
        call.remove(name)
    reason = _with_decay(file, call, args)
    if reason:
        return file.suggestion(match.call, reason)
    text, imports = _named(file, kind, call.names)
    if not text:
        return file.suggestion(match.call, f"no {kind.name} of Keras 3 sums the rows of an id")
    call.set_function(text)
    unsafe = _LEGACY_REASONS.get(kind.name, "") if kind.is_legacy else ""
    if "decay" in args:
        keras, keras_imports = names.keras(file)
        imports += keras_imports
        unsafe = unsafe or "code that changes the learning rate cannot change a schedule"
    return file.replacement(match.call, call.code, imports, unsafe)


def _named(
    file: SourceFile, kind: _Kind, parameters: tuple[str, ...] | list[str]
) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of an optimizer in Keras 3, and the imports that it needs."""
    is_legacy = kind.is_legacy and kind.name in _OF_CHOSEN
    if is_legacy and (kind.name != "SGD" or _has_rows(file)):
        if not set(parameters) <= set(_OF_CHOSEN[kind.name]):
            return "", ()
        return f"{file.module_name(_CHOSEN)}.{kind.name}", (_CHOSEN,)
    if kind.name in _OF_ROWS and _has_rows(file):
        if kind.name not in _SUMMED:
            return "", ()
        return f"{file.module_name(_SUMMED_ROWS)}.{kind.name}", (_SUMMED_ROWS,)
    keras, imports = names.keras(file)
    return f"{keras}.optimizers.{kind.name}", imports


def _with_decay(file: SourceFile, call: Arguments, args: dict[str, ast.expr]) -> str:
    """Replaces the argument decay by a schedule. Returns the reason why it does not, or ""."""
    if "decay" not in args:
        return ""
    rate = args.get("learning_rate", args.get("lr"))
    if rate is None:
        return "its learning rate with decay is a default"
    keras, _ = names.keras(file)
    schedule = f"{keras}.optimizers.schedules.InverseTimeDecay"
    text = f"{schedule}({file.segment(rate)}, 1, {file.segment(args['decay'])})"
    call.remove("decay")
    if call.count:
        call.remove_at(0)
    call.set_value("learning_rate", text)
    return ""


def _strings(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of `compile("adam")`, if the model may have an embedding."""
    for node in file.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr != "compile":
            continue
        values = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "optimizer")]
        for value in values:
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and text.lower() in _STRINGS:
                name = f"{file.module_name(_SUMMED_ROWS)}.{_STRINGS[text.lower()]}()"
                yield file.replacement(value, name, (_SUMMED_ROWS,))._replace(needed=True)


RULE = Rule(
    __name__,
    _find,
    message="Optimizers compute the same in Keras 3, also if an id is in a batch twice.",
    source="https://keras.io/api/optimizers/",
    symbols=("tf.keras.optimizers.*", "tf_keras.optimizers.*"),
    recipe="metrics_and_optimizers",
)
