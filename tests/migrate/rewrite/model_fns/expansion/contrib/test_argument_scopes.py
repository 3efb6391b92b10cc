"""Tests for arg_scopes, whose arguments move into the calls."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion.contrib import argument_scopes
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = """\
import numpy as np
import tensorflow as tf
import blocks
slim = tf.contrib.slim

def model_fn(a, b):
"""
SCOPE = "with slim.arg_scope([slim.conv2d], padding='VALID'):"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = argument_scopes.without_scopes(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


def test_calls_get_the_arguments():
    assert lines(
        SCOPE, "    c = slim.conv2d(a, 8, [int(np.sqrt(9)), 3])", "    d = slim.flatten(c)"
    ) == [
        "c = slim.conv2d(a, 8, [int(np.sqrt(9)), 3], padding='VALID')",
        "d = slim.flatten(c)",
    ]


def test_arguments_of_a_call_and_of_an_inner_scope_come_first():
    body = [
        "with slim.arg_scope([slim.conv2d], padding='VALID', stride=2):",
        "    with slim.arg_scope([slim.conv2d, slim.max_pool2d], stride=3):",
        "        c = slim.max_pool2d(slim.conv2d(a, 8, 3, padding='SAME'), 2)",
    ]
    assert lines(*body) == [
        "c = slim.max_pool2d(slim.conv2d(a, 8, 3, padding='SAME', stride=3), 2, stride=3)"
    ]


def test_other_scopes_of_the_statement_stay():
    body = [f"with tf.variable_scope('x'), {SCOPE[5:]}", "    c = slim.conv2d(a, 8, 3)"]
    assert lines(*body) == [
        "with tf.variable_scope('x'):",
        "    c = slim.conv2d(a, 8, 3, padding='VALID')",
    ]


def test_all_names_of_a_layer_are_the_same():
    body = [
        SCOPE,
        "    c = slim.convolution2d(a, 8, 3)",
        "    d = tf.contrib.layers.conv2d(a, 8, 3)",
    ]
    assert lines(*body) == [
        "c = slim.convolution2d(a, 8, 3, padding='VALID')",
        "d = tf.contrib.layers.conv2d(a, 8, 3, padding='VALID')",
    ]


def test_repeated_layers_get_the_arguments():
    body = [
        "with slim.arg_scope([slim.fully_connected, slim.conv2d], activation_fn=None):",
        "    c = slim.stack(a, slim.fully_connected, [3, 4])",
        "    d = slim.repeat(a, 2, tf.contrib.layers.conv2d, 8, 3, scope='d')",
    ]
    assert lines(*body) == [
        "c = slim.stack(a, slim.fully_connected, [3, 4], activation_fn=None)",
        "d = slim.repeat(a, 2, tf.contrib.layers.conv2d, 8, 3, scope='d', activation_fn=None)",
    ]


@pytest.mark.parametrize(
    "body",
    [
        [
            "with slim.arg_scope([slim.batch_norm], decay=b):",
            "    c = slim.conv2d(a, 8, 3, normalizer_fn=slim.batch_norm)",
        ],
        ["layer = slim.conv2d", SCOPE, "    c = layer(a, 8, 3)"],
        [
            "with slim.arg_scope([slim.fully_connected], activation_fn=b):",
            "    c = tf.contrib.layers.linear(a, 3)",
        ],
        [SCOPE, "    c = blocks.block(a)"],
        [SCOPE, "    c = b(a)"],
        ["with slim.arg_scope([slim.conv2d], padding='VALID') as sc:", "    c = a"],
        ["with slim.arg_scope(b):", "    c = slim.conv2d(a, 8, 3)"],
        [
            "with slim.arg_scope([slim.conv2d], rate=b):",
            "    b = 3",
            "    c = slim.conv2d(a, 8, 3)",
        ],
        ["with slim.arg_scope([slim.conv2d], **b):", "    c = slim.conv2d(a, 8, 3)"],
    ],
)
def test_other_scopes_stay(body):
    assert lines(*body) == body


def test_unknown_arguments_are_refused():
    with pytest.raises(NotUnderstood, match="the arguments of the call in line 8 are unknown"):
        lines(SCOPE, "    c = slim.conv2d(a, **b)")
