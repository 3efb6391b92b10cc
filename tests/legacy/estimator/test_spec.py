"""Tests that EstimatorSpec makes the checks of tf.estimator in TensorFlow 2.15."""

import pytest
import tensorflow as tf

from legacy import estimator

tf1 = tf.compat.v1
MODES = ("train", "eval", "infer")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def parts(**changes):
    x = tf1.placeholder(tf.float32, [None, 2])
    loss = tf.reduce_mean(x)
    return {"predictions": {"a": x}, "loss": loss, "train_op": loss, **changes}


@pytest.mark.parametrize(
    ("mode", "message"),
    [("train", "Missing train_op."), ("eval", "Missing loss."), ("infer", "Missing predictions.")],
)
def test_a_mode_requires_its_part(mode, message):
    with pytest.raises(ValueError, match=message):
        estimator.EstimatorSpec(mode)


def test_an_unknown_mode_requires_nothing():
    assert estimator.EstimatorSpec("foo").predictions == {}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("loss", 5, "loss must be Tensor, given: 5"),
        ("train_op", 5, "train_op must be Operation or Tensor, given: 5"),
        ("predictions", 5, "predictions must be Tensor, given: 5"),
        ("predictions", {"a": 5}, r"predictions\[a\] must be Tensor, given: 5"),
        ("eval_metric_ops", 5, "eval_metric_ops must be a dict, given: 5"),
        ("eval_metric_ops", {"a": 5}, "must be .metric_value, update_op. tuples, given: 5"),
        ("training_hooks", [5], "All hooks must be SessionRunHook instances, given: 5"),
        ("training_chief_hooks", [5], "All hooks must be SessionRunHook instances"),
        ("evaluation_hooks", [5], "All hooks must be SessionRunHook instances"),
        ("prediction_hooks", [5], "All hooks must be SessionRunHook instances"),
        ("scaffold", 5, "scaffold must be tf.train.Scaffold. Given: 5"),
    ],
)
def test_a_part_of_the_wrong_type_is_an_error(mode, name, value, message):
    with pytest.raises(TypeError, match=message):
        estimator.EstimatorSpec(mode, **parts(**{name: value}))


@pytest.mark.parametrize("shape", [[1], [1, 1]])
def test_a_loss_of_one_element_becomes_a_scalar(shape):
    loss = tf.reshape(tf.constant(2.0), shape)
    assert estimator.EstimatorSpec("eval", loss=loss).loss.shape.rank == 0


def test_a_part_from_another_graph_is_an_error():
    with tf.Graph().as_default():
        stranger = tf.constant(1.0)
    with pytest.raises(ValueError, match="must be from the default graph"):
        estimator.EstimatorSpec("train", **parts(train_op=stranger))


def test_export_outputs_are_looked_at_in_prediction_alone():
    estimator.EstimatorSpec("train", **parts(export_outputs=5))
    with pytest.raises(TypeError, match="`export_outputs` must be dict"):
        estimator.EstimatorSpec("infer", **parts(export_outputs=5))


def test_predictions_are_the_default_export():
    outputs = estimator.EstimatorSpec("infer", **parts()).export_outputs
    assert list(outputs) == ["serving_default"]


def test_one_export_output_is_also_the_default():
    x = tf1.placeholder(tf.float32, [None])
    one = estimator.export.PredictOutput(x)
    outputs = estimator.EstimatorSpec("infer", predictions=x, export_outputs={"a": one})
    assert outputs.export_outputs == {"a": one, "serving_default": one}


def test_of_several_export_outputs_one_must_be_the_default():
    x = tf1.placeholder(tf.float32, [None])
    two = {name: estimator.export.PredictOutput(x) for name in "ab"}
    with pytest.raises(ValueError, match="none of them are specified as the default"):
        estimator.EstimatorSpec("infer", predictions=x, export_outputs=two)


@pytest.mark.parametrize("name", ["loss", "predictions"])
def test_a_sparse_tensor_is_no_tensor(name):
    sparse = tf.SparseTensor([[0]], [0.0], [1])
    with pytest.raises(TypeError, match=f"{name} must be Tensor"):
        estimator.EstimatorSpec("train", **parts(**{name: sparse}))


def test_a_copy_is_checked_as_a_new_spec_is():
    spec = estimator.EstimatorSpec("eval", **parts())
    assert spec._replace(predictions={}).predictions == {}
    with pytest.raises(ValueError, match="mode of EstimatorSpec cannot be changed"):
        spec._replace(mode="train")
    with pytest.raises(ValueError, match="Loss must be scalar"):
        spec._replace(loss=tf.constant([1.0, 2.0]))


def test_variables_of_keras_metrics_are_initialized():
    metric = tf.keras.metrics.Mean()
    metric.update_state(tf.constant(3.0))
    spec = estimator.EstimatorSpec("eval", **parts(eval_metric_ops={"m": metric}))
    value, update = spec.eval_metric_ops["m"]
    with tf1.Session() as session:
        session.run(tf1.local_variables_initializer())
        session.run(update)
        assert session.run(value) == 3.0
