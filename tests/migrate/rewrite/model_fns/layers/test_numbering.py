"""Tests for the classes that number their layers when they are made."""

import types

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.layers.numbering import Numbering
from migrate.rewrite.model_fns.layers.object_maker import Object
from migrate.rewrite.model_fns.layers.variable_names import ScopedName


def objects(*items):
    return types.SimpleNamespace(items=items)


def layer(function="layers.Dense", scopes=(), own=None, kind="dense", tests=()):
    return Object("a", function, (), None, (), ScopedName(scopes, own, kind), tests)


def block(scopes=()):
    """Returns the object of a class for a function with layers."""
    return layer("Block", scopes, kind="")


@pytest.mark.parametrize(
    ("first", "of_block", "counted", "is_needed"),
    [
        ([layer()], [], [], False),
        ([layer(tests=("big",))], [], [], True),
        ([layer(own='"a"', tests=("big",))], [], [], False),
        ([block()], [layer()], ["Block"], True),
        ([block()], [layer(scopes=('"a"',))], [], False),
        ([block(scopes=('"b"',))], [layer(own='"a"')], ["Block"], True),
    ],
)
def test_layers_count_where_their_class_does_not_know_the_number(
    first, of_block, counted, is_needed
):
    numbering = Numbering(SourceFile("x = 1\n"))
    numbering.find(objects(*first), {"Block": objects(*of_block)})
    assert sorted(numbering.counted) == counted
    assert numbering.is_needed(objects(*first)) is is_needed


def test_a_name_is_distinct_if_no_layer_is_named_by_that_kind():
    numbering = Numbering(SourceFile("x = 1\n"))
    numbering.find(objects(layer()), {})
    names = ('"logits"', '"dense_2"', "name")
    assert [numbering.is_distinct(ScopedName((), own, "dense")) for own in names] == [
        True,
        False,
        False,
    ]


def test_the_counter_has_a_free_name():
    assert Numbering(SourceFile("x = 1\n")).counter == "names"
    assert Numbering(SourceFile("names = 1\n")).counter != "names"
