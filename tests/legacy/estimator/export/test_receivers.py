"""Tests of receivers of features."""

import pytest
import tensorflow as tf

from legacy.estimator.export import receivers

tf1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


@pytest.fixture
def floats():
    return tf1.placeholder(tf.float32, [None, 2], name="floats")


def test_receiver_names_what_has_no_name(floats):
    receiver = receivers.ServingInputReceiver(floats, floats, {"other": floats})
    assert receiver.features == {"feature": floats}
    assert receiver.receiver_tensors == {"input": floats}
    assert receiver.receiver_tensors_alternatives == {"other": {"input": floats}}


def test_receiver_keeps_the_users_dicts(floats):
    features, placeholders, others = {7: floats}, {"x": floats}, {"other": floats}
    receiver = receivers.ServingInputReceiver(features, placeholders, others)
    assert receiver.features is features
    assert receiver.receiver_tensors is placeholders
    assert receiver.receiver_tensors_alternatives is others


def test_tensor_receiver_leaves_the_tensor_alone(floats):
    assert receivers.TensorServingInputReceiver(floats, floats).features is floats
    with pytest.raises(ValueError, match="feature must be a Tensor"):
        receivers.TensorServingInputReceiver({"x": floats}, floats)


def test_unsupervised_receiver_has_no_alternatives(floats):
    receiver = receivers.UnsupervisedInputReceiver(floats, floats)
    assert receiver.receiver_tensors_alternatives is None


@pytest.mark.parametrize(
    ("features", "tensors", "message"),
    [
        (None, "x", "features must be defined"),
        ("x", None, "receiver_tensors must be defined"),
        ({"a": 5}, "x", "feature a must be a Tensor, SparseTensor, or RaggedTensor"),
        ({1.5: "x"}, "x", "feature keys must be strings or ints: 1.5"),
        ("x", {5: "x"}, "receiver_tensor keys must be strings: 5"),
        ("x", {"a": 5}, "receiver_tensor a must be a Tensor"),
    ],
)
def test_wrong_receivers(floats, features, tensors, message):
    def put(value):
        if isinstance(value, dict):
            return {key: put(one) for key, one in value.items()}
        return floats if value == "x" else value

    with pytest.raises(ValueError, match=message):
        receivers.ServingInputReceiver(put(features), put(tensors))


@pytest.mark.parametrize("alternatives", [[1], {"a": None}, {"a": 1}])
def test_wrong_alternatives(floats, alternatives):
    with pytest.raises(ValueError, match="receiver_tensors_alternative"):
        receivers.ServingInputReceiver(floats, floats, alternatives)


def test_what_holds_a_tensor_must_convert_to_it(floats):
    class Labeled:
        tensor = None

    with pytest.raises(ValueError, match="feature feature must be a Tensor"):
        receivers.ServingInputReceiver(Labeled(), floats)


def test_raw_receiver_takes_names_types_and_batch_size(floats):
    unknown = tf1.placeholder(tf.string, name="unknown")
    build = receivers.build_raw_serving_input_receiver_fn({"f": floats, "s": unknown}, 5)
    features = build().features
    assert features["f"].op.name == "floats_1"
    assert features["f"].shape == (5, 2)
    assert features["s"].shape.rank is None
    assert features["s"].dtype == tf.string


def test_raw_receiver_of_eager_tensors():
    with tf.init_scope():
        eager = tf.constant([[1.0]])
    receiver = receivers.build_raw_serving_input_receiver_fn({"x": eager})()
    assert receiver.features["x"].shape.as_list() == [None, 1]


def test_parsing_receiver_parses_examples():
    spec = {"x": tf.io.FixedLenFeature([2], tf.float32), "i": tf.io.VarLenFeature(tf.int64)}
    receiver = receivers.build_parsing_serving_input_receiver_fn(spec, 1)()
    (examples,) = receiver.receiver_tensors.values()
    assert examples.shape == (1,)
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend([1.0, 2.0])
    example.features.feature["i"].int64_list.value.extend([21, 5])
    with tf1.Session() as session:
        features = session.run(receiver.features, {examples: [example.SerializeToString()]})
    assert features["x"].tolist() == [[1.0, 2.0]]
    assert features["i"].values.tolist() == [21, 5]
