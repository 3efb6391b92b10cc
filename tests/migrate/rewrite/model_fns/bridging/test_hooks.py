"""Tests for hooks that need a session."""

import textwrap

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.bridging import hooks

HOOK = """\
import tensorflow as tf
class Watch(tf.train.SessionRunHook):
    def __init__(self, given):
        self.given = given
    def begin(self):
        self.step = tf.train.get_global_step()
        self.weights = [self.step, tf.get_variable("w")]
"""


def _reason(methods, model_fn="hooks = [Watch(features)]"):
    text = HOOK + textwrap.indent(methods, "    ")
    file = SourceFile(f"{text}\ndef model_fn(features, labels, mode):\n    {model_fn}\n")
    return hooks.reason_to_stay(file)


@pytest.mark.parametrize(
    ("methods", "reason"),
    [
        (
            "def before_run(self, context):\n"
            "    return tf.train.SessionRunArgs(self.step, feed_dict={self.given: 1})",
            "Watch feeds a session in line 9",
        ),
        (
            "def after_create_session(self, session, coord):\n    session.run(self.given)",
            "Watch runs self.given in the session in line 9",
        ),
        (
            "def after_run(self, context, values):\n"
            "    context.session.run([self.step, self.given])",
            "runs [self.step, self.given] in the session",
        ),
        (
            "def end(self, session):\n    session.run(tf.assign(self.step, 0))",
            "runs tf.assign(self.step, 0) in the session",
        ),
    ],
)
def test_a_hook_that_needs_a_session_is_found(methods, reason):
    assert reason in _reason(methods)


def test_a_hook_of_tensorflow_that_feeds_is_found():
    assert "FeedFnHook in line 10" in _reason("", "hook = tf.train.FeedFnHook(lambda: {})")


@pytest.mark.parametrize(
    "methods",
    [
        "def after_run(self, context, values):\n    context.session.run(self.step)",
        "def end(self, session):\n    values = session.run({'all': self.weights})",
        "def end(self, session):\n    session.run([v for v in tf.trainable_variables()])",
        "def end(self, session):\n    found = tf.global_variables()\n    session.run(found)",
        "def end(self, session):\n    subprocess.run(self.given)",
        "def before_run(self, context):\n    return tf.train.SessionRunArgs(self.given)",
    ],
)
def test_a_hook_that_reads_is_left_alone(methods):
    assert _reason(methods) == ""


def test_a_hook_of_train_is_found():
    text = HOOK + "    def end(self, session):\n        session.run(self.given)\n"
    file = SourceFile(text + "job.train(f, hooks=[Watch(1)])\n")
    assert "runs self.given" in hooks.reason_to_stay(file)
