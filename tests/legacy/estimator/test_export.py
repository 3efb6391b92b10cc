"""Receivers and export outputs."""

import pytest
import tensorflow as tf

from legacy.estimator import export

tf1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


@pytest.fixture
def floats():
    return tf1.placeholder(tf.float32, [None, 2], name="floats")


@pytest.fixture
def strings():
    return tf1.placeholder(tf.string, [None], name="strings")


def test_receiver_names_what_has_no_name(floats):
    receiver = export.ServingInputReceiver(floats, floats, {"other": floats})
    assert receiver.features == {"feature": floats}
    assert receiver.receiver_tensors == {"input": floats}
    assert receiver.receiver_tensors_alternatives == {"other": {"input": floats}}


def test_tensor_receiver_leaves_the_tensor_alone(floats):
    assert export.TensorServingInputReceiver(floats, floats).features is floats


@pytest.mark.parametrize(
    ("features", "receivers", "message"),
    [
        (None, "x", "features must be defined"),
        ("x", None, "receiver_tensors must be defined"),
        ({"a": 5}, "x", "feature a must be a Tensor"),
        ("x", {5: "x"}, "keys must be strings: 5"),
    ],
)
def test_wrong_receivers(floats, features, receivers, message):
    def put(value):
        if isinstance(value, dict):
            return {key: put(one) for key, one in value.items()}
        return floats if value == "x" else value

    with pytest.raises(ValueError, match=message):
        export.ServingInputReceiver(put(features), put(receivers))


def test_raw_receiver_takes_names_types_and_batch_size(floats, strings):
    receiver_fn = export.build_raw_serving_input_receiver_fn({"f": floats, "s": strings}, 5)
    features = receiver_fn().features
    assert features["f"].shape == (5, 2)
    assert features["s"].dtype == tf.string


def test_outputs_make_their_signatures(floats, strings):
    predict = export.PredictOutput({("a", "b"): floats}).as_signature_def({"x": floats})
    assert list(predict.outputs) == ["a/b"]
    classify = export.ClassificationOutput(floats, strings).as_signature_def({"x": strings})
    assert set(classify.outputs) == {"scores", "classes"}
    assert classify.method_name == tf.saved_model.CLASSIFY_METHOD_NAME
    regress = export.RegressionOutput(floats).as_signature_def({"x": strings})
    assert regress.method_name == tf.saved_model.REGRESS_METHOD_NAME


def test_classify_and_regress_take_serialized_examples_alone(floats, strings):
    for output in (export.ClassificationOutput(floats), export.RegressionOutput(floats)):
        with pytest.raises(ValueError, match="one string tensor of serialized"):
            output.as_signature_def({"x": floats})
        with pytest.raises(ValueError, match="one string tensor of serialized"):
            output.as_signature_def({"x": strings, "y": strings})


def test_wrong_outputs(floats, strings):
    for make in (
        lambda: export.PredictOutput(None),
        lambda: export.PredictOutput({5: floats}),
        lambda: export.ClassificationOutput(),
        lambda: export.ClassificationOutput(scores=strings),
        lambda: export.ClassificationOutput(classes=floats),
        lambda: export.RegressionOutput(strings),
        lambda: export.RegressionOutput(None),
    ):
        with pytest.raises(ValueError, match="Prediction|Classification|Regression"):
            make()
