"""Tests for lookup tables of a model_fn."""

import ast

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import lookup_tables


def read(*lines):
    body = "".join(f"    {line}\n" for line in lines)
    head = "import tensorflow as tf\ndef model_fn(features, labels, mode, params):\n"
    file = SourceFile(head + body)
    return lookup_tables.read(file, file.tree.body[1], ["params"])


def test_a_table_may_depend_on_settings_and_other_tables():
    tables = read(
        "init = tf.lookup.KeyValueTensorInitializer(params['keys'], params['values'])",
        "if mode == 'infer':",
        "    table = tf.lookup.StaticHashTable(init, -1)",
    )
    assert [*tables.values] == ["init", "table"]
    assert [statement.lineno for statement in tables.statements] == [3, 5]


def test_tables_of_tensors_loops_and_shared_names_stay():
    tables = read(
        "a = tf.lookup.KeyValueTensorInitializer(features, 0)",
        "for i in range(3):",
        "    b = tf.lookup.StaticHashTable(i, -1)",
        "c = tf.lookup.StaticHashTable(0, -1)",
        "c = tf.lookup.StaticHashTable(1, -1)",
    )
    assert tables == lookup_tables.NONE


def test_initializers_inside_a_table_are_no_tables():
    file = SourceFile(
        "import tensorflow as tf\n"
        "def f(x):\n"
        "    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(k, v), 0)[x]\n"
    )
    function = file.tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    (call,) = lookup_tables.calls(file, function)
    assert file.name_of(call.func) == "tf.lookup.StaticHashTable"
