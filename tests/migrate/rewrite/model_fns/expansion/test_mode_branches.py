"""Tests for assignments that choose by the mode, which become branches."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import mode_branches
from migrate.rewrite.model_fns.expansion.draft import Draft

HEAD = "import tensorflow as tf\nKEYS = tf.estimator.ModeKeys\n\ndef model_fn(a, mode):\n"
TRAIN, EVAL = "mode == tf.estimator.ModeKeys.TRAIN", "mode == tf.estimator.ModeKeys.EVAL"


def lines(*body):
    file = SourceFile(HEAD + "".join(f"    {line}\n" for line in body))
    draft = mode_branches.with_branches(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text[len(HEAD) :].splitlines()]


def test_an_assignment_becomes_a_branch():
    expected = [f"if {TRAIN}:", "    b = a + 1", "else:", "    b = None"]
    assert lines(f"b = a + 1 if {TRAIN} else None") == expected


@pytest.mark.parametrize("keys", ["(KEYS.TRAIN, KEYS.EVAL)", "(KEYS.EVAL,)"])
def test_a_choice_that_tells_evaluation_from_prediction_becomes_a_branch(keys):
    test = f"mode in {keys}".replace("KEYS", "tf.estimator.ModeKeys")
    expected = [f"if {test}:", "    b = a + 1", "else:", "    b = a"]
    assert lines(f"b = a + 1 if {test} else a") == expected


def test_inner_choices_become_branches_too():
    assert lines(f"b = 1 if {TRAIN} else 2 if {EVAL} else None") == [
        *(f"if {TRAIN}:", "    b = 1", "else:"),
        *(f"    if {EVAL}:", "        b = 2", "    else:", "        b = None"),
    ]


@pytest.mark.parametrize(
    "body", [f"b = 1 if {TRAIN} else 2", "b = 1 if a else None", f"return 1 if {TRAIN} else None"]
)
def test_other_choices_stay(body):
    assert lines(body) == [body]


@pytest.mark.parametrize(
    ("test", "value"),
    [("TRAIN == TRAIN", "True"), ("EVAL == TRAIN", "False"), ("EVAL != TRAIN", "True")],
)
def test_comparisons_of_two_modes_are_known(test, value):
    keys = test.replace("TRAIN", "tf.estimator.ModeKeys.TRAIN")
    keys = keys.replace("EVAL", "tf.estimator.ModeKeys.EVAL")
    text = f"{HEAD}    b = dense(a, {keys})\n    c = {TRAIN}\n"
    file = SourceFile(text)
    draft = mode_branches.without_known_tests(Draft.of(file, file.tree.body[-1]))
    assert draft.file.text == text.replace(keys, value)
