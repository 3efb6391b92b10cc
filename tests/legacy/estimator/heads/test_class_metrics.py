"""Tests of `class_metrics`, which selects and names the classes that get their own metrics."""

import pytest
import tensorflow as tf

from legacy.estimator.heads import class_metrics


def test_classes_by_name():
    assert class_metrics.metric_classes(("c", "a"), 3, ["a", "b", "c"]) == (2, 0)


@pytest.mark.parametrize("classes", [None, [], ()])
def test_no_classes(classes):
    assert class_metrics.metric_classes(classes, 3, None) == ()


@pytest.mark.parametrize("class_id", [-1, 3])
def test_class_out_of_range(class_id):
    with pytest.raises(ValueError, match=rf"in range \[0, 2\]\. Given: {class_id}"):
        class_metrics.metric_classes([0, class_id], 3, None)


def test_names_need_a_vocabulary():
    with pytest.raises(ValueError, match="label_vocabulary must be provided"):
        class_metrics.metric_classes(["a"], 3, None)


def test_of_class_keeps_the_rank():
    tensor = tf.reshape(tf.range(12), [2, 2, 3])
    found = class_metrics.of_class(tensor, 1)
    assert found.numpy().tolist() == [[[1], [4]], [[7], [10]]]
