"""Finds output of a model_fn that its Keras model does not have: logged tensors and messages.

comment(file, function, "class CnnModel(tf_keras.Model): ...")  # "# migrate: Keras does not ..."
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import checks, log_calls

_HOOK = "LoggingTensorHook"
_LOGS = ("tf.logging.",)


def comment(file: SourceFile, function: ast.FunctionDef, class_text: str) -> str:
    """Returns a comment about the lost output, or "" if nothing is lost.

    Args:
      file: The file.
      function: The model_fn.
      class_text: Text of the class without the comment.
    """
    lost = []
    if any(match.name.endswith(f".{_HOOK}") for match in checks.names_in(file, function)):
        lost.append(f"logs the tensors of the {_HOOK}")
    kept = {
        ast.unparse(node.value)
        for node in ast.walk(ast.parse(class_text))
        if isinstance(node, ast.Expr)
    }
    calls = [call for call in _messages(file, function) if ast.unparse(call) not in kept]
    is_print = [ast.unparse(call.func) == "print" for call in calls]
    if any(is_print):
        lost.append("prints the lines of the model_fn")
    if not all(is_print):
        lost.append("logs the messages of the model_fn")
    return f"# migrate: this model no longer {' or '.join(lost)}." if lost else ""


def _messages(file: SourceFile, function: ast.FunctionDef) -> list[ast.Call]:
    """Returns the statements of a function that only print or log."""
    calls = [node.value for node in ast.walk(function) if isinstance(node, ast.Expr)]
    return [
        call
        for call in calls
        if isinstance(call, ast.Call)
        and (
            log_calls.is_log(file, call.func)
            or (file.name_of(call.func) or "").startswith(_LOGS)
            or checks.only_shows(file, ast.unparse(call.func), _LOGS)
        )
    ]
