"""Tests for the list of metrics that Keras has."""

import ast

import pytest

from migrate.rewrite.model_fns.analysis.metrics import kinds


@pytest.mark.parametrize(
    ("name", "call", "reason"),
    [
        ("acc", "accuracy(labels, classes, weights=w, name='x')", ""),
        ("acc", "accuracy(labels)", "lacks arguments"),
        ("acc", "accuracy(*pair)", "*args"),
        ("loss", "mean(x)", "not supported"),
        ("k", "sparse_recall_at_k(labels, out, 1)", "sparse_recall_at_k"),
        ("auc", "auc(labels, out, curve='PR')", "the argument curve"),
        ("p", "precision(labels, out, weights=w)", "the argument weights"),
        ("p", "precision(labels, out, weights=None)", ""),
    ],
)
def test_a_metric_without_a_counterpart_has_a_reason(name, call, reason):
    node = ast.parse(call, mode="eval").body
    problem = kinds.problem(name, f"tf.metrics.{node.func.id}", node)
    assert reason in problem
    assert bool(reason) == bool(problem)


def test_other_functions_have_no_counterpart():
    call = ast.parse("f1(labels, classes)", mode="eval").body
    assert "does not come from tf.metrics" in kinds.problem("f1", "", call)
