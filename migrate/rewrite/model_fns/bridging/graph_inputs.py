r"""Finds inputs of a model_fn that only the graph of a session has.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "def model_fn(features, labels, mode):\n"
...     "    inputs = tf.keras.layers.Input(tensor=features)\n"
... )
>>> reason_to_stay(file, file.tree.body[1])
'it makes a Keras input of a tensor in line 3, which needs the graph of a session'
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine.source_file import SourceFile

_PLACEHOLDERS = frozenset(["tf.placeholder", "tf.sparse_placeholder"])
_KERAS = ("tf.keras.", "tf.compat.v1.keras.", "tf_keras.", "keras.")
_TENSORS = frozenset(["tensor", "input_tensor"])


def reason_to_stay(file: SourceFile, function: ast.FunctionDef) -> str:
    """Returns the reason why a model_fn needs such an input, or "".

    Functions of the same file count that the model_fn may call.

    Args:
      file: The file.
      function: The model_fn.
    """
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and file.name_of(node.func) in _PLACEHOLDERS:
            return f"it needs a session to feed the placeholder in line {node.lineno}"
    for node in file.nodes:
        if isinstance(node, ast.Call) and _is_input_of_tensor(file, node):
            return (
                f"it makes a Keras input of a tensor in line {node.lineno}, which needs the graph "
                "of a session"
            )
    return ""


def _is_input_of_tensor(file: SourceFile, call: ast.Call) -> bool:
    if not any(word.arg in _TENSORS for word in call.keywords):
        return False
    name = file.name_of(call.func) or file.imported_name_of(call.func)
    return name.startswith(_KERAS) or name.rpartition(".")[2] in ("Input", "InputLayer")
