"""Tests for the argument `training` of layers."""

import ast

import pytest

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.layers.calls import training_arguments
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("normalizes", "trains", "is_refused"),
    [(True, "True", True), (True, "training", False), (True, "", False), (False, "True", False)],
)
def test_batch_normalization_must_depend_on_the_mode(normalizes, trains, is_refused):
    call = ast.parse("f(x)", mode="eval").body
    if not is_refused:
        training_arguments.check(call, "f", normalizes, trains)
        return
    with pytest.raises(NotUnderstood, match="^f in line 1 always normalizes as in training$"):
        training_arguments.check(call, "f", normalizes, trains)


def test_the_reason_names_the_layer():
    reason = base_program.refusal(
        base_program.OUT, "out = tf.layers.batch_normalization(net, training=True)"
    )
    assert "tf.layers.batch_normalization in line 7 always normalizes as in training" in reason
