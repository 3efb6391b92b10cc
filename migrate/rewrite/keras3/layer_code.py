"""Finds the code that Keras calls with tensors, and the symbolic tensors of functional models.

In Keras 3, functions of TensorFlow refuse symbolic tensors, which `keras.Input` returns. A layer's
`call` gets real tensors, so they work there with the backend TensorFlow, but with no other one.
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names

_BASES = ("layers.", "Model", "models.Model", "metrics.", "losses.", "Sequential")
# Modules of modern whose classes are models or layers.
_OF_MODERN = ("heads", "column_layers", "column_models", "embedding", "normalization")
# Methods that Keras calls before there are tensors, or that train with tf.GradientTape.
_OTHERS = ("__init__", "build", "get_config", "make_optimizer", "train_step")
_CALLABLE = ("Model", "Sequential")


def is_in_call(file: SourceFile, node: ast.AST) -> bool:
    """Says whether a node is in a method of a layer or a model that gets tensors.

    Args:
      file: The file.
      node: The node.
    """
    function = file.function(node)
    while function is not None:
        owner = file.parent(function)
        if isinstance(owner, ast.ClassDef) and is_of_keras(file, owner):
            name = function.name if not isinstance(function, ast.Lambda) else ""
            return name not in _OTHERS
        function = file.function(function)
    return False


def is_of_keras(file: SourceFile, node: ast.ClassDef) -> bool:
    """Says whether a class derives from one of Keras.

    Args:
      file: The file.
      node: The class.
    """
    return node in file.computed(_classes)


def _classes(file: SourceFile) -> set[ast.ClassDef]:
    """Returns the classes of a file that derive from classes of Keras."""
    nodes = [node for node in file.nodes if isinstance(node, ast.ClassDef)]
    full_names = {match.node: match.full_name for match in file.names()}
    classes: set[ast.ClassDef] = set()
    known: set[str] = set()
    for _ in nodes:
        for node in nodes:
            if node not in classes and any(
                _is_base(base, full_names, known) for base in node.bases
            ):
                classes.add(node)
                known.add(node.name)
    return classes


def _is_base(node: ast.expr, full_names: dict[ast.expr, str], known: set[str]) -> bool:
    full_name = full_names.get(node, "")
    path = names.path_of(full_name) or full_name.removeprefix("keras.") * (
        full_name.startswith("keras.")
    )
    if path and path.startswith(_BASES):
        return True
    if isinstance(node, ast.Name):
        return node.id in known
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) in _OF_MODERN


def is_symbolic(file: SourceFile, node: ast.AST) -> bool:
    """Says whether an expression has a symbolic tensor in it: a value computed from `keras.Input`.

    Args:
      file: The file.
      node: The expression.
    """
    symbolic = file.computed(_symbolic_names)
    inputs = file.computed(_inputs)
    return any(
        part in inputs
        or (isinstance(part, ast.Name) and (file.function(part), part.id) in symbolic)
        for part in ast.walk(node)
    )


def _inputs(file: SourceFile) -> set[ast.AST]:
    """Returns the calls of `keras.Input` in a file."""
    calls: set[ast.AST] = set()
    for match in file.names():
        path = names.path_of(match.full_name) or match.full_name.removeprefix("keras.")
        if match.call is not None and path in ("Input", "layers.Input"):
            calls.add(match.call)
    return calls


def _symbolic_names(file: SourceFile) -> set[tuple[ast.AST | None, str]]:
    """Returns the names of symbolic tensors, each with the function that it is in."""
    inputs = file.computed(_inputs)
    assignments = [
        node for node in file.nodes if isinstance(node, (ast.Assign, ast.AugAssign)) and inputs
    ]
    symbolic: set[tuple[ast.AST | None, str]] = set()
    count = -1
    while count != len(symbolic):
        count = len(symbolic)
        for node in assignments:
            if not _is_tensor(file, node.value, inputs, symbolic):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        symbolic.add((file.function(node), part.id))
    return symbolic


def _is_tensor(
    file: SourceFile,
    node: ast.AST,
    inputs: set[ast.AST],
    symbolic: set[tuple[ast.AST | None, str]],
) -> bool:
    """Says whether the value of an expression may be, or have in it, a symbolic tensor."""
    if node in inputs:
        return True
    if isinstance(node, ast.Name):
        return (file.function(node), node.id) in symbolic
    if isinstance(node, ast.Attribute):
        return False  # A shape or a type, or a layer.
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else called
        if called in _CALLABLE:
            return False  # A model of tensors is no tensor.
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        return any(_is_tensor(file, value, inputs, symbolic) for value in values)
    return any(_is_tensor(file, child, inputs, symbolic) for child in ast.iter_child_nodes(node))
