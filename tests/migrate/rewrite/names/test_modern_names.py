"""Tests for names of modules in new code, and for checks that rules share."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names
from tests.migrate.rewrite import tools


@pytest.mark.parametrize(
    ("text", "name", "imported"),
    [
        ("import tensorflow as tf\ntf.log(x)", "tf", []),
        ("import tensorflow.compat.v1 as v1\nv1.log(x)", "v1", []),
        ("from tensorflow import log\nlog(x)", "tf", ["tensorflow.compat.v1"]),
        ("import tensorflow as t\nfrom tensorflow import log\nlog(x)", "t", []),
        ("from tensorflow import log\ntf = 1\nlog(x)", "", ["tensorflow.compat.v1"]),
    ],
)
def test_tensorflow_has_the_name_that_the_file_gives_it(text, name, imported):
    file = SourceFile(text)
    match = next(one for one in file.names() if one.name == "tf.log" and one.call)
    found, imports = modern_names.tensorflow(file, match)
    assert [one.module for one in imports] == imported
    assert found == name if name else found not in ("", "tf")


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("tf.set_random_seed(1)", True),
        ("RunConfig(tf_random_seed=3)", True),
        ("RunConfig(tf_random_seed=None)", False),
        ("np.random.seed(1)", False),
    ],
)
def test_seeds_of_graphs(text, seeds):
    assert modern_names.seeds_graphs(text) is seeds


@pytest.mark.parametrize(
    ("text", "asked"), [("x = 'dense/BiasAdd:0'", True), ("x = 'a: b'", False), ("x = 3", False)]
)
def test_a_tensor_that_is_asked_for_by_name(text, asked):
    assert bool(modern_names.problem_of_tensor_names(SourceFile(text))) is asked


def test_a_layer_in_a_function_of_a_program_with_a_model_fn_stays():
    text = "x = layer()\ndef f():\n  return layer()\n"
    for has_model_fn in (True, False):
        names = ("tf.estimator.EstimatorSpec",) if has_model_fn else ()
        file = SourceFile(text, plan=tools.plan(names=names))
        outside, inside = (node for node in file.nodes if isinstance(node, ast.Call))
        assert modern_names.of_model_fn(file, outside) == ""
        assert bool(modern_names.of_model_fn(file, inside)) is has_model_fn


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = np.float64(1)  # half of it, double check", {"float64"}),
        ("tf.cast(x, tf.half)", {"half"}),
        ("x.astype('double')", {"double"}),
        ("import numpy as np\nfloat32s = 1", {"numpy"}),
    ],
)
def test_words_of_types(text, words):
    assert modern_names.type_words(text) == words
