"""Tests that programs choose, read and start from checkpoints as before, with Keras models."""

import re

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import checkpoint_programs, tools
from tests.oracle import compare

V1 = tools.plan(api="v1")
PROGRAMS = checkpoint_programs.ALL


def _rewritten(program):
    """Rewrites a program of TensorFlow 1 to legacy and then to modern."""
    text = fixed_point.rewrite(program, rules.all_rules("legacy"), plan=V1).text
    return fixed_point.rewrite(text, tools.TO_MODERN, unsafe=True, plan=V1)


@pytest.fixture(scope="module")
def computed():
    """Returns the results of each program, before and after the rewrite."""
    before = tools.run([*PROGRAMS.values()], "old")
    after = tools.run([_rewritten(program).text for program in PROGRAMS.values()], "eager")
    return dict(zip(PROGRAMS, zip(before, after, strict=True), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_computes_the_same_with_keras_models(computed, name):
    before, after = computed[name]
    assert {"x", "y", "z"} <= set(before), before
    assert compare.differences(before, after) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_estimator_is_left(name):
    text = _rewritten(PROGRAMS[name]).text
    assert re.search(r"\((tf_keras\.Model|heads\.\w+)\):|heads\.\w+\(", text)
    for gone in ("tf_estimator", "tf.estimator", "bridge", "disable_v2_behavior", "tf.train."):
        assert gone not in text


# Each defect must change the results of its program.
DEFECTS = {
    "renamed_weights": ('"body/hidden/bias": "encoder/hidden/bias",', ""),
    "listed_weights": ("encoder/.*moving", "encoder/.*moving_mean"),
    "canned": ("model.ckpt-1", "model.ckpt-2"),
    "deep": ('".*batchnorm", ', ""),
    "all_checkpoints": ("all_model_checkpoint_paths[1]", "all_model_checkpoint_paths[2]"),
}


@pytest.mark.slow
def test_a_wrong_checkpoint_is_told(computed):
    altered = []
    for name, (right, wrong) in DEFECTS.items():
        text = _rewritten(PROGRAMS[name]).text
        assert right in text, name
        altered.append(text.replace(right, wrong))
    for name, after in zip(DEFECTS, tools.run(altered, "eager"), strict=True):
        assert compare.differences(computed[name][0], after), name
