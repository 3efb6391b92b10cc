"""Tests of receivers of features and labels."""

import pytest
import tensorflow as tf

from legacy.estimator.export import supervised_receivers

FLOATS = tf.TensorSpec([None, 2], tf.float32)
INTS = tf.TensorSpec([None], tf.int64)


@pytest.mark.parametrize(
    ("features", "labels", "names"),
    [
        (FLOATS, INTS, {"input", "label"}),
        ({"x": FLOATS}, INTS, {"x", "label"}),
        (FLOATS, {"y": INTS, "z": INTS}, {"input", "y", "z"}),
    ],
)
def test_placeholders_pass_as_they_are_given(features, labels, names):
    build = supervised_receivers.build_raw_supervised_input_receiver_fn(features, labels, 4)
    with tf.Graph().as_default():
        receiver = build()
    assert set(receiver.receiver_tensors) == names
    assert {tensor.shape[0] for tensor in receiver.receiver_tensors.values()} == {4}
    assert isinstance(receiver.features, dict) == isinstance(features, dict)
    assert isinstance(receiver.labels, dict) == isinstance(labels, dict)


@pytest.mark.parametrize(
    ("features", "labels"), [({"x": FLOATS}, {"x": INTS}), ({"label": FLOATS}, INTS)]
)
def test_a_feature_and_a_label_of_one_name(features, labels):
    with pytest.raises(ValueError, match="must have distinct keys"):
        supervised_receivers.build_raw_supervised_input_receiver_fn(features, labels)


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        (None, 1, "features must be defined"),
        ({"x": 1}, 1, "feature x must be a Tensor"),
        ("x", 100, "label label must be a Tensor"),
        ("x", {1.5: "x"}, "label keys must be strings or ints"),
    ],
)
def test_wrong_receivers(features, labels, message):
    with tf.Graph().as_default():
        tensor = tf.constant(1.0)
        put = {"x": tensor}
        features = put.get(features, features) if isinstance(features, str) else features
        if isinstance(labels, dict):
            labels = dict.fromkeys(labels, tensor)
        with pytest.raises(ValueError, match=message):
            supervised_receivers.SupervisedInputReceiver(features, labels, tensor)


def test_receiver_of_an_input_function():
    def input_fn(name):
        return tf.data.Dataset.from_tensors(({name: [1.0]}, [2])).repeat()

    build = supervised_receivers.build_supervised_input_receiver_fn_from_input_fn(
        input_fn, name="z"
    )
    with tf.Graph().as_default() as graph:
        receiver = build()
        assert {operation.type for operation in graph.get_operations()} == {"Placeholder"}
    assert receiver.receiver_tensors["z"].dtype == tf.float32
    assert receiver.labels.dtype == tf.int32
