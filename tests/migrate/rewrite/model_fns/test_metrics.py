"""Tests for metrics that become those of Keras: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.METRICS,
            '{"a": tf.metrics.sparse_recall_at_k(labels, out, 1)}',
            "sparse_recall_at_k",
        ),
        (
            base_program.METRICS,
            '{"auc": tf.metrics.auc(labels, out, curve="PR")}',
            "the argument curve",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)
