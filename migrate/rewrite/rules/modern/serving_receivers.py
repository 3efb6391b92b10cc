"""Turns a serving_input_receiver_fn into a tf.function from a request to features."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, serving_receivers
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile

_MAKERS = {
    "tf.estimator.export.build_parsing_serving_input_receiver_fn": "parsing",
    "tf.estimator.export.build_raw_serving_input_receiver_fn": "raw",
}
_PLACEHOLDER = "tf.placeholder"
_IMPORTED = "another file may import it by its name"
_UNSEEN = "the features may contain placeholders, which need a graph"
# The index of the receiver function among the arguments of each call.
_SERVING = {"export": 2, "BestExporter": 1, "FinalExporter": 1, "LatestExporter": 1}


def _find(file: SourceFile) -> Iterator[Change]:
    helpers, missing_imports = bridged_configs.module(file, "porting")
    yield from _placeholders(file)
    # Without this import, the file has no exports of porting.
    if missing_imports:
        return
    for match in file.matches(RULE):
        if match.call is None:
            continue
        if match.name in _MAKERS:
            change = _call_change(file, match, match.call, helpers)
        else:
            change = _function_change(file, match, match.call, helpers)
        if change is not None:
            yield file.suggestion(match.call, change) if isinstance(change, str) else change


def _placeholders(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of raw requests from placeholders to specs, which need no graph."""
    for match in file.matches(RULE):
        is_raw = _MAKERS.get(match.name) == "raw" and match.full_name.startswith("legacy.")
        if match.call is None or not is_raw:
            continue
        args = arguments.bind(match.call, ("features", "default_batch_size"))
        specs = _specs(file, _features(file, args["features"])) if args else None
        if specs:
            yield Change(match.call.lineno, tuple(specs))


def _features(file: SourceFile, features: ast.expr) -> ast.expr:
    """Returns the dictionary of a raw request, also through a name without other uses."""
    if isinstance(features, ast.Name):
        uses = [n for n in file.nodes if isinstance(n, ast.Name) and n.id == features.id]
        value = bindings.assigned_value(file, features)
        return value if value is not None and len(uses) == 2 else features
    return features


def _is_exported(file: SourceFile, node: ast.AST, helpers: str) -> bool:
    """Says whether porting.export or one of its exporters takes a node as its receiver function."""
    call = file.parent(node)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    position = _SERVING.get(call.func.attr) if ast.unparse(call.func.value) == helpers else None
    return position is not None and len(call.args) > position and call.args[position] is node


def _is_only_exported(file: SourceFile, name: str, helpers: str) -> bool | None:
    """Says whether a name is used only for exports. None if no export uses it."""
    uses = [n for n in file.nodes if isinstance(n, ast.Name) and n.id == name]
    are_exports = [_is_exported(file, n, helpers) for n in uses if isinstance(n.ctx, ast.Load)]
    return all(are_exports) if any(are_exports) else None


def _call_change(
    file: SourceFile, match: Match, call: ast.Call, helpers: str
) -> Change | str | None:
    """Returns the change of a receiver function that a call creates, or why it stays."""
    if not _is_exported(file, call, helpers):
        statement = file.parent(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name):
            return None
        is_only_exported = _is_only_exported(file, target.id, helpers)
        if not is_only_exported or bindings.assigned_value(file, target) is not call:
            return None if is_only_exported is None else f"{target.id} has other uses than exports"
    maker = _MAKERS[match.name]
    edits = [*file.replacement(call.func, f"{helpers}.{maker}").edits]
    args = arguments.bind(call, ("features", "default_batch_size"))
    if maker == "parsing":
        return Change(call.lineno, tuple(edits))
    if args is None:
        return "it is called with *args or **kwargs"
    specs = _specs(file, _features(file, args["features"]))
    if specs is None:
        return Change(call.lineno, tuple(edits), unsafe=_UNSEEN)
    return Change(call.lineno, (*edits, *specs))


def _specs(file: SourceFile, features: ast.expr) -> list[Edit] | None:
    """Returns the edits of placeholders in a literal dict, or None if it may have other values."""
    if not isinstance(features, ast.Dict):
        return None
    edits: list[Edit] = []
    for value in features.values:
        if not isinstance(value, ast.Call):
            return None
        name = file.name_of(value.func) or ""
        args = arguments.bind(value, ("dtype", "shape", "name"))
        if name == _PLACEHOLDER and args and {"dtype", "shape"} <= set(args):
            texts = [file.segment(args[key]) for key in ("shape", "dtype")]
            texts += [f"name={file.segment(args['name'])}"] if "name" in args else []
            tf = file.segment(value.func).rpartition(".")[0] or bridged_configs.tensorflow(file)
            if not tf:
                return None
            text = f"{tf}.TensorSpec({', '.join(texts)})"
            edits += file.replacement(value, text).edits
        elif name not in ("tf.TensorSpec", "tf.constant", "tf.zeros", "tf.ones"):
            return None
    return edits


def _function_change(
    file: SourceFile, match: Match, call: ast.Call, helpers: str
) -> Change | str | None:
    """Returns the change of a receiver function of the file, or why it stays."""
    function = file.function(call)
    if not isinstance(function, ast.FunctionDef):
        return None
    is_only_exported = _is_only_exported(file, function.name, helpers)
    if is_only_exported is None:
        return None
    if not is_only_exported or len([*bindings.binders(file, function.name)]) > 1:
        return f"{function.name} has other uses than exports"
    try:
        receiver = serving_receivers.Receiver(file, function)
        edits = tuple(receiver.edits())
    except serving_receivers.NotUnderstood as error:
        return f"{function.name} stays unchanged: {error}"
    is_local = not file.plan.is_shared or file.function(function) is not None
    return Change(
        function.lineno, edits, unsafe=receiver.problem or ("" if is_local else _IMPORTED)
    )


RULE = Rule(
    __name__,
    _find,
    message="A tf.function from requests to features replaces the serving_input_receiver_fn of an "
    "export.",
    source="https://www.tensorflow.org/guide/migrate/saved_model",
    symbols=(*serving_receivers.RECEIVERS, *_MAKERS),
    recipe="saved_model",
)
