"""Tests of `legacy.estimator.heads.v2.multi`, which combines several heads."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator import heads

tf1 = tf.compat.v1


def pair(**more):
    return heads.MultiHead(
        [heads.RegressionHead(name="a"), heads.RegressionHead(2, name="b")], **more
    )


def test_logits_of_unknown_batch_are_cut():
    with tf.Graph().as_default(), tf1.Session() as session:
        logits = tf1.placeholder(tf.float32, [None, 3])
        found = pair().predictions(logits)
        assert found["b", "predictions"].shape.as_list() == [None, 2]
        found = session.run(found, {logits: [[1.0, 2.0, 3.0]]})
    assert found["a", "predictions"].tolist() == [[1.0]]
    assert found["b", "predictions"].tolist() == [[2.0, 3.0]]


@pytest.mark.parametrize(
    ("labels", "logits", "message"),
    [
        ([1.0], [[1.0, 2.0, 3.0]], "labels must be a dict"),
        ({"a": [[1.0]]}, [[1.0, 2.0, 3.0]], r"labels has missing values for head\(s\): \['b'\]"),
        ({"a": 1, "b": 2}, {"b": [[1.0]]}, r"logits has missing values for head\(s\): \['a'\]"),
        ({"a": 1, "b": 2}, [[1.0, 2.0]], "Could not split logits.* should equal 3 but is 2"),
    ],
)
def test_what_does_not_fit_the_heads(labels, logits, message):
    with pytest.raises(ValueError, match=message):
        pair().loss(labels, logits, {})


def test_unknown_mode():
    with tf.Graph().as_default():
        labels = {"a": tf.zeros([1, 1]), "b": tf.zeros([1, 2])}
        with pytest.raises(ValueError, match="mode=other unrecognized"):
            pair().create_estimator_spec({}, "other", tf.zeros([1, 3]), labels)


def test_different_reductions():
    head = heads.MultiHead(
        [heads.RegressionHead(name="a"), heads.RegressionHead(loss_reduction="sum", name="b")]
    )
    with pytest.raises(ValueError, match="must be the same for different heads"):
        _ = head.loss_reduction


def test_first_head_without_a_default_export():
    class Odd(heads.RegressionHead):
        def create_estimator_spec(self, *args, **kwargs):
            spec = super().create_estimator_spec(*args, **kwargs)
            outputs = {**spec.export_outputs, "other": spec.export_outputs["predict"]}
            del outputs["serving_default"]
            # Bypasses the checks of EstimatorSpec, which would reject these outputs.
            return tuple.__new__(estimator.EstimatorSpec, [*spec[:5], outputs, *spec[6:]])

    head = heads.MultiHead([Odd(name="a")])
    with tf.Graph().as_default():
        logits = tf.zeros([1, 1])
        with pytest.raises(ValueError, match="a did not specify default export_outputs"):
            head.create_estimator_spec({}, "infer", logits)
