"""Tests of the arguments of metric functions."""

import pytest

from legacy.contrib.learn import MetricSpec


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda predictions, labels: (predictions, labels), ("p", "l")),
        (lambda labels, predictions: (labels, predictions), ("l", "p")),
        (lambda target, logit, weight: (target, logit, weight), ("l", "p", "w")),
        (lambda target, mine: (target, mine), ("l", "p")),
        (lambda mine, target: (mine, target), ("p", "l")),
        (lambda mine: mine, "p"),
    ],
)
def test_arguments_are_passed_by_their_names(function, expected):
    weights = "w" if isinstance(expected, tuple) and "w" in expected else None
    spec = MetricSpec(function, weight_key=weights)
    assert spec.create_metric_ops({"w": "w"}, "l", "p") == expected


def test_keys_choose_labels_and_predictions():
    spec = MetricSpec(lambda labels, predictions: (labels, predictions), "a", "b")
    assert spec.create_metric_ops({}, {"b": 1, "c": 2}, {"a": 3, "c": 4}) == (1, 3)
    with pytest.raises(KeyError, match="Key 'a' missing from"):
        spec.create_metric_ops({}, {"b": 1}, {"c": 4})
    with pytest.raises(ValueError, match="with label_key specified requires labels dict"):
        spec.create_metric_ops({}, 1, {"a": 3})
    with pytest.raises(ValueError, match="without specified label_key requires labels tensor"):
        MetricSpec(lambda labels, predictions: 0).create_metric_ops({}, {"a": 1, "b": 2}, 3)


def test_functions_that_are_refused():
    with pytest.raises(ValueError, match="Ambiguous arguments"):
        MetricSpec(lambda label, labels: 0)
    with pytest.raises(ValueError, match="missing from <lambda>"):
        MetricSpec(lambda predictions: 0, label_key="a")
