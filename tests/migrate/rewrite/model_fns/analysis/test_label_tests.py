"""Tests for tests of a model_fn for missing labels."""

import ast

import pytest

from migrate.rewrite.model_fns.analysis import label_tests


def labels_of(*lines):
    body = "".join(f"    {line}\n" for line in lines)
    (function,) = ast.parse(f"def model_fn(features, labels, mode):\n{body}").body
    return label_tests.labels_of(function)


@pytest.mark.parametrize(
    "lines",
    [
        ("if labels is not None:", "    loss = f(labels)"),
        ("if not labels is None:", "    loss = f(labels)", "else:", "    loss = None"),
        ("if labels is None:", "    return Spec(mode, predictions=p)"),
        ("if labels == None:", "    raise ValueError()"),
        ("if labels is None:", "    p['name'] = g(p)", "else:", "    loss = f(labels)"),
        ("loss = None if labels is None else f(labels)",),
        ("loss, op = None, None", "if labels is not None:", "    loss, op = f(labels)"),
    ],
)
def test_labels_are_missing_in_a_prediction_only(lines):
    assert labels_of(*lines) == {"labels"}


def test_another_name_of_the_labels_counts():
    assert labels_of("y = labels", "if y is not None:", "    loss = f(y)") == {"labels", "y"}
    assert labels_of("y = labels", "y = y * 2", "if labels is None:", "    pass") == {"labels"}


@pytest.mark.parametrize(
    "lines",
    [
        ("loss = f(labels)",),
        ("if labels is None:", "    labels = features"),  # It trains without labels.
        ("if labels is None:", "    loss = g()", "else:", "    loss = f(labels)"),
        ("if labels is None:", "    return Spec(mode, loss=g())"),
        ("if labels is None and mode == 'train':", "    pass"),
        ("loss = g() if labels is None else f(labels)",),
    ],
)
def test_a_model_fn_that_may_train_without_labels_is_left(lines):
    assert labels_of(*lines) == frozenset()
