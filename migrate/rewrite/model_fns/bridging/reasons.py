r"""Returns the reason why Keras cannot train a model_fn unchanged.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "def model_fn(features, labels, mode):\n"
...     "    rate = tf.placeholder(tf.float32)\n"
... )
>>> reason_to_stay(file, file.tree.body[1])
'it needs a session to feed the placeholder in line 3'
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.bridging import graph_inputs, hooks, variable_lists


def reason_to_stay(file: SourceFile, function: ast.FunctionDef) -> str:
    """Returns the reason why a model_fn needs a session, or "" if none is known.

    Args:
      file: The file.
      function: The model_fn.
    """
    return (
        graph_inputs.reason_to_stay(file, function)
        or hooks.reason_to_stay(file)
        or _losses_problem(function)
        or variable_lists.reason_to_stay(file)
    )


def _losses_problem(function: ast.FunctionDef) -> str:
    """Returns the reason why the losses of Keras layers need a session's graph, or ""."""
    nodes = [*ast.walk(function)]
    if any(isinstance(node, ast.Constant) and node.value == "get_losses_for" for node in nodes):
        return ""  # It asks hasattr() first.
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "get_losses_for":
            return (
                f"get_losses_for in line {node.lineno} exists only for layers of a session's "
                "graph: use losses"
            )
    return ""
