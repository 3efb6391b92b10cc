"""Finds code that depends on the names of an Estimator's checkpoint files.

reason = problem(file)

An Estimator writes DIR/model.ckpt-100.index, and a Keras model DIR/checkpoints/ckpt-100.index. The
model finds its file if a program gives the path of an Estimator's, but listed files are others.
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite.engine.source_file import SourceFile

_LISTS = frozenset(("Glob", "ListDirectory", "glob", "iglob", "listdir", "scandir", "walk"))
_FILES = re.compile(r"ckpt|\.(index|meta)\b")
_NAME = re.compile(r"model\\?\.ckpt")
_PARSES = frozenset(
    (
        *("compile", "endswith", "findall", "finditer", "fullmatch", "lstrip", "match"),
        *("partition", "replace", "rpartition", "rsplit", "search", "split", "startswith"),
        *("strip", "sub"),
    )
)


def problem(file: SourceFile) -> str:
    """Returns the reason why a program needs the names of an Estimator's files, or "".

    Args:
      file: The file.
    """
    reason: str = file.computed(_problem)
    return reason


def _problem(file: SourceFile) -> str:
    texts = {
        node: node.value
        for node in file.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    for node, text in texts.items():
        parent = file.parent(node)
        function = parent.func if isinstance(parent, ast.Call) and node in parent.args else None
        is_parsed = isinstance(function, ast.Attribute) and function.attr in _PARSES
        if _NAME.search(text) and (is_parsed or isinstance(parent, ast.Compare)):
            return f"line {node.lineno} expects names of an Estimator's checkpoints"
    for call in file.nodes if any(map(_FILES.search, texts.values())) else ():
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in _LISTS:
            return f"line {call.lineno} may list the files of checkpoints"
    return ""
