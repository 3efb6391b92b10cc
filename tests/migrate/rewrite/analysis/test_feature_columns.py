"""Tests for feature columns: their names, and columns that are unknown."""

import ast

import pytest

from migrate.rewrite.analysis.dataflow import UnknownValue
from migrate.rewrite.analysis.feature_columns import Columns
from migrate.rewrite.engine.source_file import SourceFile


def columns_of(text):
    """Returns the columns in the argument of `use(...)`."""
    file = SourceFile(f"import tensorflow as tf\nc = tf.feature_column\n{text}")
    (call,) = [
        node
        for node in file.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "use"
    ]
    return Columns(file).of(call.args[0])


AGE = "c.numeric_column('age')"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"use([c.bucketized_column({AGE}, [18])])", ["age_bucketized"]),
        (f"columns = [{AGE}]\nuse([columns[0]])", ["age"]),
        (
            "word = c.categorical_column_with_hash_bucket('w', 3)\n"
            "use([c.indicator_column(c.weighted_categorical_column(word, 'n'))])",
            ["w_weighted_by_n_indicator"],
        ),
    ],
)
def test_columns_have_the_names_by_which_they_are_sorted(text, names):
    assert [column.name for column in columns_of(text)] == names


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        ("bucketized_column(boundaries=[18])", "source_column"),
        (f"bucketized_column({AGE})", "boundaries"),
        ("categorical_column_with_hash_bucket('w')", "hash_bucket_size"),
        ("crossed_column(hash_bucket_size=3)", "keys"),
        ("embedding_column(dimension=3)", "categorical_column"),
        ("indicator_column(None)", "categorical_column"),
        ("numeric_column(shape=[3])", "key"),
        ("shared_embeddings(dimension=3)", "categorical_columns"),
        ("weighted_categorical_column(word)", "weight_feature_key"),
    ],
)
def test_a_column_without_a_required_argument_is_unknown(call, argument):
    with pytest.raises(UnknownValue, match=f"{argument} of tf.feature_column.* in line 3 is miss"):
        columns_of(f"use(c.{call})")


@pytest.mark.parametrize("index", ["1", "-3", "'age'"])
def test_an_index_outside_the_list_is_unknown(index):
    with pytest.raises(UnknownValue, match="is unknown"):
        columns_of(f"columns = [{AGE}]\nuse([columns[{index}]])")


FILLED = f"columns = [{AGE}]\ncolumns.append(c.numeric_column('b'))\n"


def test_a_list_may_be_filled_step_by_step():
    assert [column.name for column in columns_of(f"{FILLED}use(columns)")] == ["age", "b"]


@pytest.mark.parametrize(
    "change",
    [
        "columns.sort()",
        "columns[0] = other",
        "del columns[0]",
        "others = columns; others.clear()",
        "def add(x):\n  x.append(1)\nadd(columns)",
    ],
)
def test_a_list_with_other_changes_is_unknown(change):
    with pytest.raises(UnknownValue, match="^(columns|others|x) changes in line"):
        columns_of(f"{FILLED}{change}\nuse(columns)")


@pytest.mark.parametrize("text", ["def f():\n  return [*f()]\nuse(f())", "a = [a]\nuse(a)"])
def test_columns_that_contain_themselves_are_unknown(text):
    with pytest.raises(UnknownValue):
        columns_of(text)
