"""Tests of `extenders`, which adds metrics or forwarded features to an Estimator."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator
from legacy.estimator import extenders

tf1 = tf.compat.v1


def model_fn(features, labels, mode):
    weight = tf1.get_variable("w", [1, 1], initializer=tf1.ones_initializer())
    optimizer = tf1.train.GradientDescentOptimizer(0.5)
    return estimator.RegressionHead().create_estimator_spec(
        features,
        mode,
        tf.matmul(features["x"], weight),
        labels,
        train_op_fn=lambda loss: optimizer.minimize(loss, tf1.train.get_global_step()),
    )


def input_fn():
    x = np.array([[1.0], [2.0]], "float32")
    tags = tf.SparseTensor([[0, 0]], ["t"], [2, 1])
    features = {"x": x, "key": np.array(["a", "b"]), "tags": tags}
    return tf.data.Dataset.from_tensors((features, 3 * x))


@pytest.fixture
def regressor(tmp_path):
    return estimator.Estimator(model_fn, str(tmp_path), estimator.RunConfig(tf_random_seed=1))


def test_metrics_are_added_and_replaced(regressor):
    def metrics(labels, predictions, features, config):
        assert config.tf_random_seed == 1
        keras = tf_keras.metrics.Mean(name="x")
        keras.update_state(features["x"])
        error = tf1.metrics.mean(tf.abs(labels - predictions["predictions"]))
        return {"keras": keras, "v1": error, "label/mean": tf1.metrics.mean(labels + 1)}

    extended = estimator.add_metrics(regressor, metrics)
    extended.train(input_fn, steps=1)
    assert extended.model_dir == regressor.model_dir
    before, after = regressor.evaluate(input_fn), extended.evaluate(input_fn)
    assert set(after) - set(before) == {"keras", "v1"}
    assert after["keras"] == 1.5
    assert (before["label/mean"], after["label/mean"]) == (4.5, 5.5)
    assert after["average_loss"] == before["average_loss"]


def test_metric_function_that_takes_something_else(regressor):
    with pytest.raises(ValueError, match=r"has following not expected args: \['mode'\]"):
        estimator.add_metrics(regressor, lambda labels, mode: {})


def test_features_are_forwarded(regressor):
    regressor.train(input_fn, steps=1)
    found = list(extenders.forward_features(regressor, "key").predict(input_fn))
    assert [each["key"] for each in found] == [b"a", b"b"]
    dense = extenders.forward_features(regressor, ["tags"], {"tags": "none"})
    assert [each["tags"].tolist() for each in dense.predict(input_fn)] == [[b"t"], [b"none"]]


def test_forwarded_features_are_exported(regressor, tmp_path):
    regressor.train(input_fn, steps=1)

    def receiver_fn():
        features = {"x": tf1.placeholder(tf.float32, [None, 1]), "key": tf1.placeholder(tf.string)}
        return estimator.export.ServingInputReceiver(features, features)

    forwarding = extenders.forward_features(regressor, "key")
    path = forwarding.export_saved_model(str(tmp_path / "export"), receiver_fn)
    with tf.Graph().as_default(), tf1.Session() as session:
        graph = tf1.saved_model.load(session, ["serve"], path)
    assert set(graph.signature_def["predict"].outputs) == {"predictions", "key"}


@pytest.mark.parametrize(
    ("keys", "defaults", "message"),
    [
        ("absent", None, 'Key "absent" is not in features'),
        (None, None, r"Feature \(tags\) should be a Tensor"),
        ("key", {"key": "none"}, "expected to be a `SparseTensor`"),
    ],
)
def test_features_that_cannot_be_forwarded(regressor, keys, defaults, message):
    forwarding = extenders.forward_features(regressor, keys, defaults)
    with tf.Graph().as_default():
        features, labels = tf1.data.make_one_shot_iterator(input_fn()).get_next()
        with pytest.raises(ValueError, match=message):
            forwarding.model_fn(features, labels, "infer", None)


@pytest.mark.parametrize("keys", [3, ["key", 3]])
def test_keys_that_are_no_strings(regressor, keys):
    with pytest.raises(TypeError, match="string"):
        extenders.forward_features(regressor, keys)


def test_gradients_are_clipped_to_the_norm():
    with tf.Graph().as_default(), tf1.Session() as session:
        variables = [tf1.get_variable(name, initializer=0.0) for name in "ab"]
        inner = tf1.train.MomentumOptimizer(1.0, 0.0)
        optimizer = extenders.clip_gradients_by_norm(inner, 1.0)
        step = tf1.train.get_or_create_global_step()
        train_op = optimizer.minimize(3 * variables[0] - 4 * variables[1], step)
        session.run(tf1.global_variables_initializer())
        session.run(train_op)
        assert session.run([*variables, step]) == pytest.approx([-0.6, 0.8, 1])
    assert optimizer.get_name() == "ClipByNormMomentum"
    assert optimizer.get_slot(variables[0], "momentum").op.name == "a/Momentum"
    assert optimizer.get_slot_names() == ["momentum"]
