"""Tests for the names of lookup tables. tests/migrate/rewrite/test_model_fns.py runs one."""

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import table_statements
from migrate.rewrite.model_fns.expansion.draft import Draft


def test_a_table_inside_an_expression_gets_a_statement():
    file = SourceFile(
        "import tensorflow as tf\n"
        "def model_fn(features):\n"
        "    table = 3\n"
        "    if features:\n"
        "        ids = tf.lookup.StaticHashTable(a, 0).lookup(features)\n"
        "    words = tf.lookup.StaticHashTable(b, 0)\n"
    )
    function = file.tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    draft = table_statements.with_statements(Draft.of(file, function))
    assert draft.file.text.splitlines()[4:] == [
        "        table_ = tf.lookup.StaticHashTable(a, 0)",
        "        ids = table_.lookup(features)",
        "    words = tf.lookup.StaticHashTable(b, 0)",
    ]
