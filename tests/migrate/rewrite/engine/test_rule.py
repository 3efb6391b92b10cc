"""Tests for the definition of rules."""

import pytest

from migrate.rewrite.engine.rule import Import, Rule

RULE = Rule(
    "migrate.rewrite.rules.modern.casts",
    find=lambda file: (),
    message="Uses tf.cast.",
    source="https://www.tensorflow.org",
    symbols=("tf.to_float", "tf.contrib.layers.*"),
    recipe="",
)


def test_name_and_direction_are_those_of_the_file():
    assert (RULE.name, RULE.to) == ("casts", "modern")


@pytest.mark.parametrize(
    ("name", "covered"),
    [
        ("tf.to_float", True),
        ("tf.to_float.name", False),
        ("tf.contrib.layers.conv2d", True),
        ("tf.contrib.layers.a.b", True),
        ("tf.contrib.layers", False),
        ("tf.contrib.layers2.conv2d", False),
    ],
)
def test_a_star_covers_all_names_below(name, covered):
    assert RULE.covers(name) is covered


@pytest.mark.parametrize(
    ("module", "name", "statement"),
    [
        ("tf_keras", "tf_keras", "import tf_keras"),
        ("tf_keras", "keras", "import tf_keras as keras"),
        ("tensorflow.compat.v1", "tf", "import tensorflow.compat.v1 as tf"),
        ("legacy.contrib", "contrib", "from legacy import contrib"),
        ("legacy.contrib.layers", "l", "from legacy.contrib import layers as l"),
    ],
)
def test_an_import_under_a_name(module, name, statement):
    found = Import(module, "any").statement(name)
    assert found == statement
    compile(found, "<text>", "exec")
