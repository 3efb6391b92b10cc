"""Where a program decides by TensorFlow's version, it goes on as it did."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.rule import Change, Example, Rule
from migrate.rewrite.source_file import SourceFile

# As `legacy.run` tells programs.
_VERSIONS = {"v1": "1.15.5", "v2": "2.15.1"}
_NAMES = ("tf.__version__", "tf.VERSION", "tf.version.VERSION", "tf.compat.v2.__version__")


def _find(file: SourceFile) -> Iterator[Change]:
    for found in file.names():
        node = _decided_by(file, found.node) if found.name.startswith(_NAMES) else None
        if node is not None:
            yield file.replaced(node, f'"{_VERSIONS[file.context.api]}"')


def _decided_by(file: SourceFile, node: ast.expr) -> ast.expr | None:
    """Returns the part of a name that is the version, where something depends on it."""
    while isinstance(node, ast.Attribute) and node.attr not in ("__version__", "VERSION"):
        node = node.value
    outer: ast.AST | None = node
    while outer is not None and not isinstance(outer, ast.stmt):
        if isinstance(outer, ast.Compare):
            return node
        parent = file.parent(outer)
        if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and parent.test is outer:
            return node
        outer = parent
    return None


RULE = Rule(
    __name__,
    _find,
    message="A program that looks at TensorFlow's version is told the one that it was written for.",
    source="https://www.tensorflow.org/api_docs/python/tf/version",
    symbols=("tf.__version__", "tf.VERSION", "tf.version.VERSION"),
    recipe="sessions_and_graphs",
    examples=(
        Example(
            "import tensorflow.compat.v1 as tf\n"
            'x = "old" if tf.__version__.split(".")[0] == "1" else "new"\n'
            'assert tf.VERSION >= "1.1", tf.float32\n',
            "import tensorflow.compat.v1 as tf\n"
            'x = "old" if "1.15.5".split(".")[0] == "1" else "new"\n'
            'assert "1.15.5" >= "1.1", tf.float32\n',
        ),
    ),
    unchanged=(
        "import tensorflow.compat.v1 as tf\nprint(tf.__version__)\nx = 1\n",
        "import numpy as np\nx = np.__version__ > '0'\n",
    ),
)
