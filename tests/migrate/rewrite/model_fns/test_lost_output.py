"""Tests for the comment about output that a Keras model does not have."""

import pytest

from tests.migrate.rewrite.model_fns import base_program

_TRAIN = base_program.TRAIN
_HOOK = 'hooks = [tf.train.LoggingTensorHook({"loss": loss}, 10)]'
_SPEC = "return e.EstimatorSpec(mode, None, loss, train_op, metrics"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([(_TRAIN, f'{_TRAIN}\n    print("built")')], "prints the lines of the model_fn"),
        ([(_TRAIN, f'{_TRAIN}\n    tf.logging.info("a")')], "logs the messages of the model_fn"),
        (
            [(_TRAIN, f"{_TRAIN}\n    {_HOOK}"), (_SPEC, f"{_SPEC}, training_hooks=hooks")],
            "logs the tensors of the LoggingTensorHook",
        ),
        (
            [
                (_TRAIN, f"print(out)\n    {_TRAIN}\n    {_HOOK}"),
                (_SPEC, f"{_SPEC}, evaluation_hooks=hooks"),
            ],
            "logs the tensors of the LoggingTensorHook or prints the lines of the model_fn",
        ),
    ],
)
def test_a_comment_names_lost_output(changes, expected):
    text = base_program.model_class(*changes)
    assert f"    # migrate: this model no longer {expected}.\n" in text


def test_output_that_stays_has_no_comment():
    kept = "loss = 0.0\n    for i in range(2):\n        print(i)\n        loss = loss + "
    kept += "tf.losses.mean_squared_error(labels, out)"
    changes = ("loss = tf.losses.mean_squared_error(labels, out)", kept)
    text = base_program.model_class(changes)
    assert "print(i)" in text
    assert "# migrate" not in text
