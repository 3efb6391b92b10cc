"""Tests of `multi_label`, which predicts any number of classes for each example."""

import pytest
import tensorflow as tf

from legacy.estimator import heads

LOGITS = [[-10.0, 10.0], [-15.0, 10.0]]


@pytest.mark.parametrize("n_classes", [None, 1])
def test_number_of_classes(n_classes):
    expected = rf"> 1 for multi-label classification\. Given: {n_classes}"
    with pytest.raises(ValueError, match=expected):
        heads.MultiLabelHead(n_classes)


def test_vocabulary_that_is_no_list():
    with pytest.raises(ValueError, match=r"must be a list or tuple\. Given type: <class 'dict'>"):
        heads.MultiLabelHead(2, label_vocabulary={"a": "b"})


@pytest.mark.parametrize(
    "labels",
    [
        tf.constant([[1, 0], [1, 1]]),
        tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([0, 0, 1], tf.int64), [2, 2]),
        tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "a", "b"], [2, 2]),
    ],
)
def test_labels_of_all_kinds(labels):
    head = heads.MultiLabelHead(2, label_vocabulary=["a", "b"])
    assert float(head.loss(labels, LOGITS, {})) == pytest.approx(8.75, rel=1e-3)


def test_sparse_class_out_of_range():
    labels = tf.SparseTensor([[0, 0]], tf.constant([2], tf.int64), [2, 2])
    with pytest.raises(ValueError, match=r"integer SparseTensor with values in \[0, 2\)"):
        heads.MultiLabelHead(2).loss(labels, LOGITS, {})


def test_metrics_of_classes_by_name():
    head = heads.MultiLabelHead(
        2, label_vocabulary=["a", "b"], classes_for_class_based_metrics=["b"], name="h"
    )
    expected = ["probability_mean/b/h", "auc/b/h", "auc_precision_recall/b/h"]
    assert list(head.metrics())[-3:] == expected
