"""Imports Keras 3 instead of tf_keras, and lets the modules of modern use it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names

_CHOICE = Import("modern.process.chosen_keras", "chosen_keras")
_CHOOSE = "choose(3)"
# Calls of modern.porting with this argument read checkpoints by names of tf_keras.
_PATH = "checkpoint_path"
_FLOAT_TYPES = "layers of Keras 3 do not keep the float types of their inputs"
_TF_KERAS = "it computes with tf_keras alone"
# Modules, and names of modern.porting, that need tf_keras, with the reason.
_OF_TF_KERAS = {
    "legacy": "it is the API of Estimators, which needs tf_keras",
    "migrate.bridge": "it trains a model_fn with tf_keras alone",
    "modern.optimizers.classic": _TF_KERAS,
    "modern.optimizers.combined": "modern.optimizers.chosen has the ByLayer of Keras 3",
    "modern.porting.float_types": _FLOAT_TYPES,
    "modern.porting.keep_float_types": _FLOAT_TYPES,
    **{
        f"modern.porting.{name}": _TF_KERAS
        for name in (
            *("SizedLayer", "WarmStartSettings", "Weight", "checkpoints_iterator"),
            *(_PATH, "column_models", "from_keras", "keras_estimators", "list_variables"),
            *("load_variable", "recurrent_layers", "shaped_weights", "warm_start", "warm_starts"),
        )
    },
}
_NO_KERAS_METRICS = "a function of add_metrics returns no metrics of Keras 3, but of tf.metrics"
_SWITCH = "legacy.keras_choice.use_legacy_keras"


def _find(file: SourceFile) -> Iterator[Change]:
    for node, name in (*_imports(file), *_names_of_porting(file)):
        reason = _reason(name)
        if reason:
            yield file.suggestion(node, f"{name}: {reason}")._replace(needed=True)
        elif name == "modern.porting.add_metrics" and _has_metrics(file):
            yield file.suggestion(node, _NO_KERAS_METRICS)._replace(needed=True)
    for match in file.names():
        statement = file.parent(match.call) if match.call is not None else None
        if match.full_name == _SWITCH and isinstance(statement, ast.Expr):
            start, end = (
                file.line_start(statement.lineno),
                file.line_start((statement.end_lineno or statement.lineno) + 1),
            )
            yield Change(statement.lineno, (Edit(start, end, ""),), needed=True)
    edits = [*_of_statements(file), *_of_roots(file)]
    if edits:
        needs_import = _has_roots(file) and not any("import keras" in edit.text for edit in edits)
        keras = names.keras(file)[1] if needs_import else ()
        line = file.line_of(min(edits).start)
        yield Change(line, tuple(sorted(set(edits))), keras, is_last=True, needed=True)
    elif not names.uses_tf_keras(file) or _uses_modern(file):
        yield from _choice(file)


def _imports(file: SourceFile) -> Iterator[tuple[ast.stmt, str]]:
    """Yields each name that a file imports, with its statement."""
    for node in file.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                yield node, f"{node.module}.{alias.name}"


def _names_of_porting(file: SourceFile) -> Iterator[tuple[ast.expr, str]]:
    """Yields names of modern.porting, as in `porting.warm_start`."""
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            parent = file.parent(node)
            if node.value.id == "porting" and "from modern import porting" in file.text:
                yield node, f"modern.porting.{node.attr}"
                if isinstance(parent, ast.Call) and any(k.arg == _PATH for k in parent.keywords):
                    yield node, f"modern.porting.{_PATH}"


def _has_metrics(file: SourceFile) -> bool:
    """Says whether a file has metrics of tf_keras."""
    return any(path.startswith("metrics.") for path, _, _ in names.of_tf_keras(file))


def _reason(name: str) -> str:
    """Returns the reason why a program with an import stays on tf_keras, or ""."""
    if name.startswith("legacy.keras_choice"):
        return ""
    for module, reason in _OF_TF_KERAS.items():
        if f"{name}.".startswith(f"{module}."):
            return reason
    return ""


def _of_statements(file: SourceFile) -> Iterator[Edit]:
    """Yields the edits of import statements."""
    for node in file.nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            text = _statement(node)
            if text is None:
                continue
            start, end = file.span(node)
            if text == ["import tf_keras"]:  # Its name in the file is the one of new code.
                if file.import_of(names.KERAS) is not None:
                    yield Edit(file.line_start(node.lineno), file.line_start(node.lineno + 1), "")
                    continue
                text = [names.KERAS.statement(file.module_name(names.KERAS))]
            yield Edit(start, end, f"{file.newline}{file.indent(node.lineno)}".join(text))


def _statement(node: ast.Import | ast.ImportFrom) -> list[str] | None:
    """Returns the statements that replace an import of tf_keras. None for other imports."""
    if isinstance(node, ast.ImportFrom):
        path = names.path_of(node.module or "") if not node.level else None
        if path is not None:
            module = ".".join(["keras", *filter(None, [path])])
            return [ast.unparse(ast.ImportFrom(module, node.names, 0))]
    new: list[ast.stmt] = []
    others: list[ast.alias] = []
    for alias in node.names:
        full_name = alias.name
        if isinstance(node, ast.ImportFrom):
            full_name = f"{node.module}.{alias.name}"
        path = names.path_of(full_name) if not getattr(node, "level", 0) else None
        if path is None:
            others.append(alias)
            continue
        name = alias.asname or (alias.name if isinstance(node, ast.ImportFrom) else None)
        if name is None:
            # `import tensorflow.keras` also imports TensorFlow.
            return ["import tf_keras"] if full_name == "tf_keras" and len(node.names) == 1 else None
        new.append(_import(path, name))
    if not new:
        return None
    if others and isinstance(node, ast.ImportFrom):
        new.insert(0, ast.ImportFrom(node.module, others, 0))
    elif others:
        new.insert(0, ast.Import(others))
    return [ast.unparse(statement) for statement in new]


def _import(path: str, name: str) -> ast.stmt:
    """Returns the import of a module of Keras 3 under a name."""
    if not path:
        return ast.Import([ast.alias("keras", name if name != "keras" else None)])
    parent, _, leaf = f"keras.{path}".rpartition(".")
    return ast.ImportFrom(parent, [ast.alias(leaf, name if name != leaf else None)], 0)


def _has_roots(file: SourceFile) -> bool:
    """Says whether a file names tf_keras by the name of its package, or through TensorFlow."""
    return any(True for _ in _root_nodes(file))


def _root_nodes(file: SourceFile) -> Iterator[ast.expr]:
    """Yields the parts of expressions that are tf_keras, such as `tf.keras`."""
    for match in file.names():
        path = names.path_of(match.full_name)
        if path is None:
            continue
        node: ast.AST = match.node
        for _ in range(len(path.split(".")) if path else 0):
            node = node.value if isinstance(node, ast.Attribute) else ast.Pass()
        is_package = isinstance(node, ast.Name) and node.id == "tf_keras"
        if isinstance(node, ast.Attribute) or (is_package and isinstance(node, ast.Name)):
            yield node


def _of_roots(file: SourceFile) -> Iterator[Edit]:
    for node in _root_nodes(file):
        start, end = file.span(node)
        yield Edit(start, end, names.keras(file)[0])


def _uses_modern(file: SourceFile) -> bool:
    """Says whether a file imports modules of modern that use the Keras of the process."""
    return any(
        name.partition(".")[0] == "modern" and name != _CHOICE.module for _, name in _imports(file)
    )


def _choice(file: SourceFile) -> Iterator[Change]:
    """Yields the change that chooses Keras 3 before the first module of modern is imported."""
    if not _uses_modern(file) or _CHOOSE in file.text:
        return
    statement = _first_import(file)
    if statement is None:
        return
    name = file.module_name(_CHOICE)
    start = file.line_start(statement.lineno)
    lines = [_CHOICE.statement(name), "", f"{name}.{_CHOOSE}  # Before modern imports Keras.", ""]
    text = file.newline.join(lines) + file.newline
    yield Change(statement.lineno, (Edit(start, start, text),), is_last=True, needed=True)


def _first_import(file: SourceFile) -> ast.stmt | None:
    """Returns the first statement of a file that imports TensorFlow, Keras or modern."""
    for statement in file.tree.body:
        for node in (
            ast.walk(statement) if isinstance(statement, (ast.Try, ast.If)) else (statement,)
        ):
            names_of_node = []
            if isinstance(node, ast.Import):
                names_of_node = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names_of_node = [node.module or ""]
            if any(n.partition(".")[0] in ("keras", "modern", "tensorflow") for n in names_of_node):
                return statement
    return None


RULE = Rule(
    __name__,
    _find,
    message="The program imports Keras 3 instead of tf_keras, and modern uses it too.",
    source="https://keras.io/keras_3/",
    symbols=("tf.keras.*", "tf_keras.*"),
    recipe="layers_and_losses",
)
