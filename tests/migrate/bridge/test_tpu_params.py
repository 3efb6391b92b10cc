"""Tests for TPUEstimator features: params by mode, TPUEstimatorSpec, initial weights."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf
import tf_keras

from legacy.contrib import tpu
from legacy.contrib.training import HParams
from migrate import bridge
from migrate.bridge.as_estimator import TPUParams
from tests.migrate.bridge import small

SIZES = {"train_batch_size": 16, "eval_batch_size": 32, "predict_batch_size": 8}


@pytest.mark.parametrize("make", [dict, HParams])
def test_each_mode_has_its_batch_size(make):
    params = TPUParams(make(rate=0.5), train_batch_size=16, eval_batch_size=32)
    assert (params.train["batch_size"] if make is dict else params.train.batch_size) == 16
    assert "batch_size" not in params.infer
    of_eval = params.of_model_fn("eval")
    values = of_eval if make is dict else of_eval.values()
    assert values == {"rate": 0.5, "batch_size": 32, "use_tpu": False}
    assert "use_tpu" not in params.eval


def test_its_names_are_not_for_others():
    with pytest.raises(ValueError, match="reserved"):
        TPUParams({"batch_size": 3})


def input_fn(params):
    return tf.data.Dataset.from_tensor_slices(small.data()).batch(params["batch_size"])


def begun(folder):
    """Saves a checkpoint of the first layer, as from an earlier training, and returns its path."""
    with tf.Graph().as_default(), tf.Session() as session:
        kernel = tf.get_variable("dense/kernel", initializer=tf.fill([4, 3], 0.25))
        session.run(kernel.initializer)
        return tf.train.Saver().save(session, str(folder / "first"))


def model_fn(features, labels, mode, params):
    """Scales its outputs by the batch size, so that a wrong batch size changes the results."""
    outputs = small.model(features) * (params["batch_size"] / 16)
    tf.train.init_from_checkpoint(params["first"], {"dense/kernel": "dense/kernel"})
    if mode == "infer":
        return tpu.TPUEstimatorSpec(mode, {"outputs": outputs})
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tpu.CrossShardOptimizer(tf.train.AdamOptimizer(0.1))
    train_op = None
    if mode == "train":
        train_op = optimizer.minimize(loss, tf.train.get_or_create_global_step())

    def metric_fn(labels, outputs):
        return {"mae": tf.metrics.mean_absolute_error(labels, outputs)}

    return tpu.TPUEstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metrics=(metric_fn, [labels, outputs])
    )


def bridged(params, of_data):
    """Trains a bridged model, and returns it with its metrics and predictions."""
    model = bridge.KerasModelFn(model_fn, params=params)
    model.fit(input_fn(of_data.train).take(4), verbose=0)
    metrics = model.evaluate(input_fn(of_data.eval), verbose=0, return_dict=True)
    outputs = model.predict(input_fn(of_data.infer), verbose=0)["outputs"]
    return model, metrics, outputs


def test_it_does_what_the_estimator_did(tmp_path):
    given = {"first": begun(tmp_path)}
    config = tpu.RunConfig(model_dir=str(tmp_path / "m"))
    estimator = tpu.TPUEstimator(model_fn, config=config, params=given, use_tpu=False, **SIZES)
    estimator.train(input_fn, steps=4)
    expected = estimator.evaluate(input_fn)
    assert expected.pop("global_step") == 4
    predicted = [one["outputs"] for one in estimator.predict(input_fn)]
    params = TPUParams(given, **SIZES)
    model, metrics, outputs = bridged(params, params)
    assert metrics == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(outputs, predicted, rtol=1e-4, atol=1e-6)
    # Shared params, as an Estimator has them, give other results.
    _, others, _ = bridged({**given, "batch_size": 16}, params)
    assert others["mae"] != pytest.approx(expected["mae"], rel=1e-3)
    path = str(tmp_path / "model.keras")
    model.save(path)
    again = tf_keras.models.load_model(path)
    assert again.params.eval == {**given, "batch_size": 32}
    np.testing.assert_allclose(
        again.predict(input_fn(again.params.infer), verbose=0)["outputs"], outputs, rtol=1e-6
    )


def test_weights_to_begin_with_are_read_in_each_mode(tmp_path):
    """The variables' own initializers, which do not run, are not mistaken for writes in a step."""
    params = TPUParams({"first": begun(tmp_path)}, **SIZES)
    for mode in ("eval", "infer"):
        model = bridge.KerasModelFn(model_fn, params=params)
        model.build_on(input_fn(params.eval), mode=mode)
        np.testing.assert_array_equal(
            model.variables_by_name["dense/kernel"], np.full([4, 3], 0.25)
        )


def test_a_host_call_runs_with_each_step(tmp_path):
    called = []

    def host_call(loss):
        return tf.py_function(lambda loss: called.append(float(loss)), [loss], [])

    def with_host_call(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        return spec._replace(host_call=(host_call, [spec.loss]))

    params = TPUParams({"first": begun(tmp_path)}, **SIZES)
    model = bridge.KerasModelFn(with_host_call, params=params)
    steps = model.fit(input_fn(params.train).take(3), verbose=0, epochs=2).history["loss"]
    assert np.mean(called[:3]) == pytest.approx(steps[0], rel=1e-5)
    assert len(called) == 6
