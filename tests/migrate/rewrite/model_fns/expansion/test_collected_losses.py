"""Tests for losses that a model_fn adds by their collection."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion import collected_losses
from migrate.rewrite.model_fns.expansion.draft import Draft

MSE = "tf.losses.mean_squared_error(a, b)"
TOTAL = "c = tf.losses.get_total_loss()"
REST = "tf.losses.get_regularization_loss()"


def _lines(*body):
    text = "".join(f"    {line}\n" for line in body)
    file = SourceFile(f"import tensorflow as tf\n\ndef model_fn(a, b):\n{text}")
    draft = collected_losses.without_collection(Draft.of(file, file.tree.body[-1]))
    return [line.removeprefix("    ") for line in draft.file.text.splitlines()[3:]]


def test_losses_get_names():
    assert _lines(MSE, f"d = {MSE}", f"e = 2 * {MSE}", TOTAL) == [
        f"mean_squared_error = {MSE}",
        f"d = {MSE}",
        f"mean_squared_error_ = {MSE}",
        "e = 2 * mean_squared_error_",
        f"c = (mean_squared_error + d + mean_squared_error_ + {REST})",
    ]


def test_added_losses_get_names():
    total = "c = tf.losses.get_total_loss(False, name='d')"
    assert _lines(MSE, "tf.losses.add_loss(a * b)", total) == [
        f"mean_squared_error = {MSE}",
        "added_loss = a * b",
        "c = (mean_squared_error + added_loss)",
    ]


def test_other_losses_stay():
    assert _lines(MSE) == [MSE]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (["if a:", f"    {MSE}", TOTAL], "may not be computed"),
        ([TOTAL], "are unknown"),
        ([MSE, TOTAL, TOTAL], "in several ways"),
        ([MSE, "tf.losses.get_losses().append(a)", TOTAL], "changes the collection"),
        ([f"{MSE[:-1]}, loss_collection=None)", TOTAL], "in another collection"),
        ([f"{MSE[:-1]}, 1.0, None, None)", TOTAL], "in another collection"),
        (["tf.losses.add_loss(a, 'other')", TOTAL], "in another collection"),
        (["d = tf.losses.add_loss(a)", TOTAL], "in another collection"),
        (["if a:", "    tf.losses.add_loss(a)", TOTAL], "may not be computed"),
        ([f"tf.losses.add_loss({MSE})", TOTAL], "may not be computed"),
        ([MSE, "c = tf.losses.get_total_loss(a)"], "in several ways"),
        ([MSE, "c = tf.losses.get_total_loss(scope='d')"], "in several ways"),
        ([MSE, "for d in a:", f"    {MSE}", TOTAL], "may not be computed"),
        ([f"{TOTAL} + {MSE}"], "may not be computed"),
    ],
)
def test_losses_that_may_not_be_in_the_collection_are_refused(body, reason):
    with pytest.raises(NotUnderstood) as caught:
        _lines(*body)
    assert reason in str(caught.value)


def test_a_loss_whose_name_changes_gets_another_name():
    lines = _lines(f"d = {MSE}", "d = d * 2", TOTAL)
    assert lines[0] == f"mean_squared_error = {MSE}"
    assert lines[-1] == f"c = (mean_squared_error + {REST})"
