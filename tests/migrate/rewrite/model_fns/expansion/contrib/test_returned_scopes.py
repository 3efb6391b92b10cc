"""Tests for functions that return the scope of an arg_scope."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.contrib import returned_scopes
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = """\
import tensorflow as tf
slim = tf.contrib.slim
RATE = 0.9

def scope(decay=0.1, training=True):
    '''Returns the scope of a network.'''
    params = {"decay": decay, "is_training": training}
    with slim.arg_scope([slim.fully_connected], activation_fn=None):
        with slim.arg_scope([slim.conv2d], normalizer_params=params) as sc:
            return sc

def global_scope():
    with slim.arg_scope([slim.dropout], keep_prob=RATE) as sc:
        return sc

def printing():
    with slim.arg_scope([slim.dropout], keep_prob=RATE) as sc:
        print(sc)
        return sc

def other_result():
    with slim.arg_scope([slim.dropout], keep_prob=RATE) as sc:
        return RATE

def model_fn(a, b):
"""


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = returned_scopes.with_scopes(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


def test_the_scopes_are_written_out():
    assert lines("with slim.arg_scope(scope(b, training=a)):", "    c = slim.flatten(a)") == [
        "with slim.arg_scope([slim.fully_connected], activation_fn=None):",
        "    with slim.arg_scope([slim.conv2d], normalizer_params={'decay': b, 'is_training': a}):",
        "        c = slim.flatten(a)",
    ]


def test_other_scopes_of_the_statement_keep_their_order():
    body = ["with tf.variable_scope('x'), slim.arg_scope(global_scope()):", "    c = a"]
    assert lines(*body) == [
        "with tf.variable_scope('x'):",
        "    with slim.arg_scope([slim.dropout], keep_prob=RATE):",
        "        c = a",
    ]


@pytest.mark.parametrize(
    "body",
    [
        ["with slim.arg_scope(printing()):", "    c = a"],
        ["with slim.arg_scope(other_result()):", "    c = a"],
        ["with slim.arg_scope(scope(*b)):", "    c = a"],
        ["with slim.arg_scope(scope()) as sc:", "    c = a"],
        ["RATE = b", "with slim.arg_scope(global_scope()):", "    c = a"],
        ["sc = scope()", "with slim.arg_scope(sc):", "    c = a"],
    ],
)
def test_other_functions_stay(body):
    assert lines(*body) == body
