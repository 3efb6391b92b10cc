"""Tests for objects of the program's own classes. test_model_fns.py runs a program with one."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import inlining, instances
from migrate.rewrite.model_fns.expansion.functions.helpers import Depth

CLASS = """\
import tensorflow as tf

class Net{bases}:
    UNITS = 4

    def __init__(self, size, mode="x"):
        self.size, self.mode = size, mode
        self.total = 0

    def build(self, x):
        self.total = self.total + 1
        return tf.layers.dense(x, self.size * self.UNITS, name=self.mode)

def model_fn(features, labels, mode):
    net = Net(3, mode)
"""


def expanded(*lines, bases=""):
    """Returns the lines of the model_fn without its object."""
    text = CLASS.format(bases=bases) + "".join(f"    {line}\n" for line in lines)
    file = SourceFile(text)
    function = file.tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    draft = inlining.inlined(Draft.of(file, function), Depth.LATE)
    draft = instances.without_objects(draft)
    return [line.strip() for line in draft.file.segment(draft.function).splitlines()[1:]]


def test_variables_hold_what_changes_and_values_replace_the_rest():
    assert expanded("logits = net.build(features)", "return logits, net.total") == [
        "total = 0",
        "total = total + 1",
        "logits = tf.layers.dense(features, 3 * 4, name=mode)",
        "return logits, total",
    ]


def test_a_loop_contains_the_statements_of_a_method():
    assert expanded("for i in range(3):", "    y = net.build(features)", "return y") == [
        "total = 0",
        "for i in range(3):",
        "total = total + 1",
        "y = tf.layers.dense(features, 3 * 4, name=mode)",
        "return y",
    ]


def test_a_variable_gets_another_name_if_its_own_is_taken():
    lines = expanded("total = 5", "y = net.build(features)", "return total, net.total")
    assert lines[-1] == "return total, net_total"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("y = net.build(features)", "other(net)"), "uses net in line .* as a whole"),
        (("y = net.other(features)",), r"net.other\(\) in line .* may create variables"),
        (("y = net.build(features) + net.other",), "net.other in line .* is unknown"),
    ],
)
def test_other_uses_are_refused(lines, reason):
    with pytest.raises(NotUnderstood, match=reason):
        expanded(*lines)


@pytest.mark.parametrize("bases", ["(Base)", "(tf.keras.Model)", "(metaclass=Meta)"])
def test_objects_of_derived_classes_stay(bases):
    assert expanded("y = net.build(features)", bases=bases)[0] == "net = Net(3, mode)"


def test_objects_without_layers_stay():
    text = CLASS.replace("tf.layers.dense(x, self.size * self.UNITS, name=self.mode)", "x")
    file = SourceFile(text.format(bases="") + "    y = net.build(features)\n")
    function = file.tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    draft = inlining.inlined(Draft.of(file, function), Depth.LAYERS)
    assert "net = Net(3, mode)" in draft.file.text
