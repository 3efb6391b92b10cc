"""Reads the TrainSpec and the EvalSpec of train_and_evaluate, if a file defines them completely.

specs = read(file, {"train_spec": ..., "eval_spec": ...}, "porting")
if not isinstance(specs, str):
    print(specs.train["input_fn"], specs.evaluate.get("throttle_secs"))
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile, comments
from migrate.rewrite.names import modern_names

_SPECS = {
    "train_spec": (
        "tf.estimator.TrainSpec",
        ("input_fn", "max_steps", "hooks", "saving_listeners"),
    ),
    "eval_spec": (
        "tf.estimator.EvalSpec",
        ("input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"),
    ),
}
_EXPORTERS = {
    "BestExporter": (
        *("name", "serving_input_receiver_fn", "event_file_pattern", "compare_fn"),
        *("assets_extra", "as_text", "exports_to_keep"),
    ),
    "FinalExporter": ("name", "serving_input_receiver_fn", "assets_extra", "as_text"),
    "LatestExporter": (
        *("name", "serving_input_receiver_fn", "assets_extra", "as_text"),
        "exports_to_keep",
    ),
}
_KEYWORDS = ("compare_fn", "exports_to_keep")
_POSITIONAL = ("name", "serving_input_receiver_fn")
_AS_TEXT = "as_text"
_BINARY = "its exporters write saved_model.pb in place of saved_model.pbtxt"


class Specs(NamedTuple):
    """The arguments of a TrainSpec and an EvalSpec.

    Attributes:
      train: Arguments of the TrainSpec, without those that are None.
      evaluate: Arguments of the EvalSpec, without those that are None. `steps` may still be None.
      exporters: Text of the exporters.
      edits: Edits that remove or change the statements that make the specs.
      problem: Reason why the exporters may write other files, or "" if they do not.
    """

    train: dict[str, ast.expr]
    evaluate: dict[str, ast.expr]
    exporters: str = ""
    edits: tuple[Edit, ...] = ()
    problem: str = ""

    def text(self, file: SourceFile, key: str) -> str:
        """Returns the text of an argument of the EvalSpec.

        Args:
          file: The file.
          key: Parameter of EvalSpec.
        """
        return self.exporters if key == "exporters" else file.segment(self.evaluate[key])


class _Refused(Exception):
    """Raised if the specs cannot be determined. The message says why."""


def read(file: SourceFile, specs: dict[str, ast.expr], helpers: str) -> Specs | str:
    """Returns the arguments of the specs, or the reason why they are not known.

    Args:
      file: The file.
      specs: The specs that train_and_evaluate takes.
      helpers: Name of the module with the exporters.
    """
    try:
        edits: list[Edit] = []
        train, evaluate = (_spec(file, key, specs[key], edits) for key in _SPECS)
        if "saving_listeners" in train:
            return "its TrainSpec has saving_listeners: rewrite them as a callback"
        exporters = _exporters(file, evaluate.get("exporters"), helpers, edits)
        problem = _BINARY if exporters and _write_text(file) else ""
        return Specs(train, evaluate, exporters, tuple(edits), problem)
    except _Refused as error:
        return str(error)


def _spec(file: SourceFile, key: str, node: ast.expr, edits: list[Edit]) -> dict[str, ast.expr]:
    """Returns the arguments of a spec, and removes the statement that makes it."""
    name, parameters = _SPECS[key]
    expression = node
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        is_local = value is not None and file.function(value) is file.function(node)
        # Of two uses, one binds the name, and the other one passes the spec.
        if value is None or not is_local or len(_uses(file, node)) != 2:
            raise _Refused(f"its {key} is created elsewhere, or has other uses")
        statement = file.statement(value)
        if not estimator_uses.is_alone(file, statement):
            raise _Refused(f"its {key} shares a line with another statement")
        expression = value
        edits.append(_removal(file, statement))
    if not isinstance(expression, ast.Call) or file.name_of(expression.func) != name:
        raise _Refused(f"its {key} is not created by {name} here")
    args = arguments.bind(expression, parameters)
    if args is None or "input_fn" not in args or set(args) - set(parameters):
        raise _Refused(f"its {key} is created with *args or **kwargs")
    _check_names(file, key, args, node)
    supported = {*estimator_uses.without_none(args), "steps"}
    return {parameter: argument for parameter, argument in args.items() if parameter in supported}


def _check_names(file: SourceFile, key: str, args: dict[str, ast.expr], use: ast.expr) -> None:
    """Refuses arguments whose names get other values before train_and_evaluate reads them."""
    end = file.span(use)[0]
    for argument in args.values():
        if isinstance(argument, ast.Lambda):
            continue  # It is called later in any case.
        start = file.span(argument)[1]
        for name in (part for part in ast.walk(argument) if isinstance(part, ast.Name)):
            binders = (part for part in bindings.of_scope(file, name) if isinstance(part, ast.Name))
            if any(start < file.span(binder)[0] < end for binder in binders):
                raise _Refused(f"{name.id} changes between its {key} and train_and_evaluate")


def _removal(file: SourceFile, statement: ast.stmt) -> Edit:
    """Returns the edit that removes a statement and keeps its comments."""
    edit = bridged_configs.removal(file, statement)
    indent = file.indent(statement.lineno)
    texts = comments(file.segment(statement))
    return edit._replace(
        text="".join(f"{indent}{comment}{file.newline}" for comment in texts) or edit.text
    )


def _exporters(file: SourceFile, node: ast.expr | None, helpers: str, edits: list[Edit]) -> str:
    """Returns the text of the exporters. Exporters that are made elsewhere change there."""
    if node is None:
        return ""
    branches = _branches(file, node)
    if branches:
        return _conditional(file, node, branches, helpers, edits)
    value = _bound_value(file, node)
    if not isinstance(value, (ast.List, ast.Tuple)):
        text = _exporter(file, value, helpers, edits, is_here=value is node)
        return f"[{text or file.segment(node)}]"
    texts = []
    for expression in value.elts:
        exporter = _bound_value(file, expression)
        is_here = value is node and exporter is expression
        text = _exporter(file, exporter, helpers, edits, is_here=is_here)
        texts.append(text or file.segment(expression))
    return f"[{', '.join(texts)}]" if value is node else file.segment(node)


def _conditional(
    file: SourceFile,
    node: ast.expr,
    branches: list[ast.expr],
    helpers: str,
    edits: list[Edit],
) -> str:
    """Returns the text of exporters that a condition chooses. They change where they are made."""
    lists = [branch for branch in branches if isinstance(branch, (ast.List, ast.Tuple))]
    if lists and len(lists) < len(branches):
        raise _Refused("its exporters may be one or a list")
    for exporter in [part for value in lists for part in value.elts] or branches:
        _exporter(file, exporter, helpers, edits, is_here=False)
    return file.segment(node) if lists else f"[{file.segment(node)}]"


def _bound_value(file: SourceFile, node: ast.expr) -> ast.expr:
    """Returns the value bound to a name that is read exactly once."""
    if not isinstance(node, ast.Name):
        return node
    value = bindings.assigned_value(file, node)
    if value is None or len(_uses(file, node)) != 2:
        raise _Refused("its exporters are created elsewhere, or have other uses")
    return value


def _uses(file: SourceFile, name: ast.Name) -> list[ast.Name]:
    """Returns the places that read or bind a name in its scope."""
    owner = bindings.scope(file, name)
    nodes = (node for node in file.nodes if isinstance(node, ast.Name) and node.id == name.id)
    return [node for node in nodes if bindings.scope(file, node) is owner]


def _branches(file: SourceFile, node: ast.expr) -> list[ast.expr]:
    """Returns the values that the branches of an `if` assign to a name. [] for other names."""
    if not isinstance(node, ast.Name):
        return []
    binders = bindings.of_scope(file, node)
    values = [bindings.value_of(file, binder) for binder in binders]
    assigned_values = [value for value in values if value is not None]
    is_read_once = len(_uses(file, node)) == len(binders) + 1
    return assigned_values if len(assigned_values) == len(binders) > 1 and is_read_once else []


def _write_text(file: SourceFile) -> bool:
    """Says whether an exporter of a file writes a SavedModel as text."""
    for match in file.names():
        parameters = _EXPORTERS.get(match.name.removeprefix("tf.estimator."))
        args = arguments.bind(match.call, parameters) if match.call and parameters else None
        if args and not modern_names.is_constant(args.get(_AS_TEXT, ast.Constant(False)), False):
            return True
    return False


def _exporter(
    file: SourceFile, value: ast.expr, helpers: str, edits: list[Edit], *, is_here: bool
) -> str:
    """Returns the text of an exporter, or "" if it changes in the place where it is made."""
    name = (file.name_of(value.func) if isinstance(value, ast.Call) else None) or ""
    kind = name.removeprefix("tf.estimator.")
    if kind not in _EXPORTERS or not isinstance(value, ast.Call):
        raise _Refused("it has an exporter of an unknown class")
    args = arguments.bind(value, _EXPORTERS[kind])
    args = estimator_uses.without_none(args) if args is not None else {}
    unsupported = sorted(set(args) - {*_POSITIONAL, *_KEYWORDS, _AS_TEXT})
    if unsupported:
        raise _Refused(f"its {kind} has the unsupported argument {unsupported[0]}")
    if set(_POSITIONAL) - set(args) - {"name"}:
        raise _Refused(f"its {kind} has no visible serving_input_receiver_fn")
    names = ['"best_exporter"'] if "name" not in args else []
    parts = names + [file.segment(args[key]) for key in _POSITIONAL if key in args]
    parts += [f"{key}={file.segment(args[key])}" for key in _KEYWORDS if key in args]
    text = f"{helpers}.{kind}({', '.join(parts)})"
    if is_here:
        return text
    edits += file.replacement(value, text).edits
    return ""
