"""Tests of `legacy.estimator.heads.v2.binary_class`, which predicts one of two classes."""

import pytest
import tensorflow as tf

from legacy.estimator import heads
from legacy.estimator.heads.v2.binary_class import KEYS

tf1 = tf.compat.v1


@pytest.mark.parametrize(("labels", "expected"), [([0, 0, 1, 0], 0.75), ([1, 1, 1, 0], 0.75)])
def test_baseline_is_the_more_frequent_class(labels, expected):
    head = heads.BinaryClassHead()
    metrics = head.metrics()
    baseline = metrics["accuracy_baseline"]
    assert float(baseline.result()) == 0.0
    for label in labels:
        head.update_metrics(metrics, {}, tf.zeros([1, 1]), tf.constant([[label]]))
    assert float(baseline.result()) == expected


def test_baseline_in_a_graph_is_read_after_the_updates():
    head = heads.BinaryClassHead()
    with tf.Graph().as_default(), tf1.Session() as session:
        labels = tf1.placeholder_with_default([[1], [1]], [None, 1])
        spec = head.create_estimator_spec({}, "eval", tf.zeros_like(labels), labels)
        value, update = spec.eval_metric_ops["accuracy_baseline"]
        updates = [pair[1] for pair in spec.eval_metric_ops.values()]
        session.run(tf1.local_variables_initializer())
        session.run([*updates, update])
        assert session.run(value) == 1.0
        session.run([*updates, update], {labels: [[0], [0]]})
        assert session.run(value) == 0.5


def test_only_the_predictions_asked_for():
    head = heads.BinaryClassHead()
    logits = [[0.3], [-0.4]]
    assert list(head.predictions(logits)) == list(KEYS)
    assert list(head.predictions(logits, ["class_ids", "logits"])) == ["logits", "class_ids"]
    with pytest.raises(ValueError, match="must be in PredictionKeys, given: top_k"):
        head.predictions(logits, ["logits", "top_k"])


def test_vocabulary_is_for_labels_and_predictions():
    head = heads.BinaryClassHead(label_vocabulary=["no", "yes"])
    assert float(head.loss([["yes"]], [[0.0]], {})) == pytest.approx(0.693147)
    assert head.predictions([[1.0]], ["classes"])["classes"].numpy() == b"yes"
    with pytest.raises(ValueError, match="Labels must be >= 0"):
        head.loss([["maybe"]], [[0.0]], {})


def test_either_head_by_the_number_of_classes():
    two = heads.binary_or_multi_class_head(2, "w", ["a", "b"], "sum")
    three = heads.binary_or_multi_class_head(3, None, None, "auto")
    assert (type(two), two.loss_reduction) == (heads.BinaryClassHead, "sum")
    assert (type(three), three.logits_dimension) == (heads.MultiClassHead, 3)
