"""Tests for the removal of calls that disable behavior of TensorFlow 2."""

import pytest

from migrate.rewrite.analysis import v2_switches
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools

START = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
KEPT = "porting.keep_float_types()  # Layers compute in the float type of their input.\n"
LAYERS = "tf.layers.dense"
ARRAYS = "tf.estimator.inputs.numpy_input_fn"


def _file(text, names, words=()):
    plan = tools.plan(names=names, type_words=frozenset(words))
    return SourceFile(START + text, plan=plan)


@pytest.mark.parametrize(
    ("names", "words", "are_kept"),
    [
        pytest.param([LAYERS, ARRAYS], ["numpy"], True, id="arrays of NumPy are of float64"),
        pytest.param([LAYERS, "tf.constant"], ["pandas"], True, id="so are those of pandas"),
        pytest.param([LAYERS, ARRAYS], ["numpy", "float32"], False, id="cast arrays"),
        pytest.param([LAYERS], ["numpy"], False, id="no arrays for the model"),
        pytest.param([ARRAYS], ["numpy"], False, id="no layers"),
        pytest.param([LAYERS], ["float16"], True, id="another type"),
        pytest.param(["tf.contrib.slim.conv2d"], ["float16"], True, id="layers of slim"),
        pytest.param(
            [LAYERS, ARRAYS, "tf.feature_column.numeric_column"], ["numpy"], False, id="columns"
        ),
        pytest.param(
            [LAYERS, ARRAYS, "tf.contrib.learn.datasets.load_dataset"],
            ["numpy"],
            False,
            id="images of MNIST's reader",
        ),
    ],
)
def test_layers_keep_the_float_type_of_what_the_program_feeds(names, words, are_kept):
    file = _file("", names, words)
    assert v2_switches.keeps_float_types(file) is are_kept
    edits, imports = v2_switches.without(file)
    assert [edit.text for edit in edits] == ([KEPT.strip()] if are_kept else [""])
    assert [one.module for one in imports] == ["modern.porting"] * are_kept


def test_a_comment_of_the_call_stays():
    text = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()  # old\nx = tf.half\n"
    plan = tools.plan(names=[LAYERS])
    outcome = fixed_point.rewrite(text, tools.rule("modern", "v2_behavior"), unsafe=True, plan=plan)
    assert "porting.keep_float_types()  # old\n" in outcome.text


def test_a_program_that_only_disables_eager_execution_casts_as_today():
    text = "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()\nx = tf.float64\n"
    file = SourceFile(text, plan=tools.plan(names=[LAYERS]))
    assert not v2_switches.keeps_float_types(file)
    edits, _ = v2_switches.without(file)
    assert [edit.text for edit in edits] == [""]


def test_a_call_that_stays_keeps_no_float_types():
    text = "import tensorflow.compat.v1 as tf\nx = 1; tf.disable_v2_behavior()\ny = tf.half\n"
    file = SourceFile(text, plan=tools.plan(names=[LAYERS]))
    assert v2_switches.without(file) == ((), ())
    assert not v2_switches.keeps_float_types(file)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("tf.disable_v2_behavior", True),
        ("tf.compat.v1.disable_eager_execution", True),
        ("tf.disable_v2_tensorshape", False),
    ],
)
def test_names_that_keras_needs_away(name, is_one):
    assert v2_switches.is_one(name) is is_one
