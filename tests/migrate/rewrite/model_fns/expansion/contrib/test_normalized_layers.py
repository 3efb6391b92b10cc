"""Tests for convolutions with a normalizer_fn, which become calls of their own."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion.contrib import normalized_layers
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = """\
import tensorflow as tf
slim = tf.contrib.slim

def model_fn(a, training, scope):
"""
BATCH = "normalizer_fn=slim.batch_norm"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = normalized_layers.without_normalizers(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            f"b = slim.conv2d(a, 8, 3, {BATCH}, scope='x')",
            "b = tf.nn.relu(slim.batch_norm(slim.conv2d(a, 8, 3, scope='x', activation_fn=None, "
            "biases_initializer=None), scope='x/BatchNorm'))",
        ),
        (
            f"b = slim.conv2d(a, 8, 3, {BATCH}, activation_fn=None, scope=scope)",
            "b = slim.batch_norm(slim.conv2d(a, 8, 3, scope=scope, activation_fn=None, "
            "biases_initializer=None), scope=scope + '/BatchNorm')",
        ),
        (
            f"b = slim.conv2d(a, 8, 3, {BATCH}, normalizer_params=dict(decay=0.9), "
            "activation_fn=tf.tanh, scope='x')",
            "b = tf.tanh(slim.batch_norm(slim.conv2d(a, 8, 3, scope='x', activation_fn=None, "
            "biases_initializer=None), decay=0.9, scope='x/BatchNorm'))",
        ),
    ],
)
def test_a_normalizer_becomes_a_call(body, expected):
    assert lines(body) == [expected]


def test_parameters_may_have_a_name():
    body = [
        "p = {'is_training': training, 'updates_collections': tf.GraphKeys.UPDATE_OPS}",
        f"b = slim.conv2d(a, 8, 3, {BATCH}, normalizer_params=p, scope='x')",
    ]
    assert lines(*body)[1].endswith("is_training=training, scope='x/BatchNorm'))")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([f"b = slim.conv2d(a, 8, 3, {BATCH})"], "has no scope"),
        (["b = slim.conv2d(a, 8, 3, normalizer_fn=f, scope='x')"], "is not supported"),
        (
            [
                "p = {'decay': 0.5}",
                "p['scale'] = True",
                f"b = slim.conv2d(a, 8, 3, {BATCH}, normalizer_params=p, scope='x')",
            ],
            "may change",
        ),
        (
            [f"b = slim.conv2d(a, 8, 3, {BATCH}, normalizer_params=f(), scope='x')"],
            "not a dictionary",
        ),
        (
            [f"b = slim.conv2d(a, 8, 3, {BATCH}, normalizer_params=scope, scope='x')"],
            "are unknown",
        ),
    ],
)
def test_other_normalizers_are_refused(body, reason):
    with pytest.raises(NotUnderstood, match=reason):
        lines(*body)


def test_other_layers_stay():
    body = [
        "b = slim.conv2d(a, 8, 3, normalizer_fn=None)",
        f"c = slim.fully_connected(a, 8, {BATCH}, scope='x')",
    ]
    assert lines(*body) == body
