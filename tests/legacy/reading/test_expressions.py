"""Tests of resolving expressions to full names."""

import ast
import doctest

import pytest

from legacy.reading import bindings, expressions


@pytest.fixture
def scopes():
    scopes = bindings.Scopes()
    scopes.bind("tf", "tensorflow")
    scopes.bind("v1", "tensorflow.compat.v1")
    return scopes


def parsed(text):
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tf.layers", "tensorflow.layers"),
        ("tf.flags.FLAGS", "tensorflow.flags.FLAGS"),
        ("tf.flags.FLAGS.x", None),
        ("tf.contrib.learn.SVM.fit", "tensorflow.contrib.learn.SVM.fit"),
        ("tf.__version__", "tensorflow.__version__"),
        ("tf.layers.__doc__", None),
        ("getattr(tf, name)", "tensorflow.?"),
        ("getattr(tf, name).x", None),
        ("getattr(x, 'tf')", None),
        ("importlib.import_module('tensorflow_core.contrib')", "tensorflow.contrib"),
        ("importlib.import_module('os')", None),
        ("__import__('tensorflow._api.v1.train')", "tensorflow"),
        ("LazyLoader('os', globals(), 'tensorflow.contrib')", "tensorflow.contrib"),
        ("LazyLoader('tensorflow', globals(), 'os')", None),
        ("sys.modules['tensorflow.train']", "tensorflow.train"),
        ("sys.modules[name]", None),
        ("x['tensorflow']", None),
        ("tf.x(1)", None),
    ],
)
def test_full_name(scopes, text, name):
    assert expressions.full_name(parsed(text), scopes) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("v1 if x else tf", "tensorflow.compat.v1"),
        ("tf if x else numpy", None),
        ("tf.layers.dense if x else tf.layers.conv2d", None),
        ("tf or v1", "tensorflow"),
        ("(x := tf.train)", "tensorflow.train"),
        ("tf.logging.INFO", None),
    ],
)
def test_what_a_name_is_bound_to(scopes, text, name):
    assert expressions.bound_name(parsed(text), scopes) == name


def test_arguments_that_are_tensorflow_by_default(scopes):
    of = parsed("lambda a, b=tf, *c, d=v1, e=tf.layers.dense, **f: 0").args
    assert expressions.arguments(of, scopes) == {
        **dict.fromkeys("acef"),
        "b": "tensorflow",
        "d": "tensorflow.compat.v1",
    }


@pytest.mark.parametrize("module", [bindings, expressions])
def test_examples(module):
    assert doctest.testmod(module).failed == 0
