"""Tests of the outputs of serving signatures."""

import pytest
import tensorflow as tf

from legacy.estimator.export import outputs

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


def test_outputs_make_their_signatures(floats, strings):
    predict = outputs.PredictOutput({("a", "b"): floats}).as_signature_def({"x": floats})
    assert list(predict.outputs) == ["a/b"]
    output = outputs.ClassificationOutput(floats, strings)
    classify = output.as_signature_def({"x": strings})
    assert set(classify.outputs) == {"scores", "classes"}
    assert classify.method_name == tf.saved_model.CLASSIFY_METHOD_NAME
    regress = outputs.RegressionOutput(floats).as_signature_def({"x": strings})
    assert regress.method_name == tf.saved_model.REGRESS_METHOD_NAME


def test_classify_and_regress_take_serialized_examples_alone(floats, strings):
    for kind in (outputs.ClassificationOutput, outputs.RegressionOutput):
        for inputs in ({"x": floats}, {"x": strings, "y": strings}, {}):
            with pytest.raises(ValueError, match="can only accept a single tensor input of"):
                kind(floats).as_signature_def(inputs)


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        ("PredictOutput", [None], "Prediction output value must be a Tensor"),
        ("PredictOutput", [{5: "floats"}], "Prediction output key must be a string"),
        ("PredictOutput", ["sparse"], "Prediction output value must be a Tensor"),
        ("ClassificationOutput", [], "At least one of `scores` and `classes`"),
        ("ClassificationOutput", ["strings"], "scores must be a float32 Tensor"),
        ("ClassificationOutput", [None, "floats"], "classes must be a string Tensor"),
        ("RegressionOutput", ["strings"], "value must be a float32 Tensor"),
        ("RegressionOutput", [None], "value must be a float32 Tensor"),
    ],
)
def test_wrong_outputs(floats, strings, kind, arguments, message):
    known = {"floats": floats, "strings": strings, "sparse": tf.SparseTensor([[0]], [1.0], [1])}

    def put(value):
        if isinstance(value, dict):
            return {key: put(one) for key, one in value.items()}
        return known.get(value, value)

    with pytest.raises(ValueError, match=message):
        getattr(outputs, kind)(*map(put, arguments))
