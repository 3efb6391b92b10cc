"""Tests of training with evaluations, compared with the Estimator's."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from modern import porting
from modern.cluster.tf_config import TFConfigError
from modern.records import summaries
from tests.cluster.trainings import ENV, steps_saved
from tests.modern import generated

SHAPES = {"hidden": [4, 3], "out": [3, 1]}


def model_fn(features, labels, mode):
    """Equals tests/modern/generated.Model, except for the biases."""
    v1 = tf.compat.v1
    weights = [v1.get_variable(f"{name}/kernel", shape) for name, shape in SHAPES.items()]
    outputs = tf.tanh(features["x"] @ weights[0]) @ weights[1]
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, {"out": outputs})
    loss = tf.reduce_mean((outputs - labels) ** 2)
    optimizer = v1.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, v1.train.get_global_step())
    metrics = {"mae": v1.metrics.mean_absolute_error(labels, outputs)}
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op, metrics)


def receiver_fn():
    x = tf.compat.v1.placeholder(tf.float32, [None, 4], name="x")
    return tf_estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def ours(
    folder, max_steps=10, *callbacks, model=None, data=generated.train_data, save_steps=4, **options
):
    """Returns (model, result) of a training by our `train_and_evaluate`."""
    model = model or generated.compiled()
    porting.restore(model, str(folder), save_steps=save_steps)
    result = porting.train_and_evaluate(
        model,
        data,
        generated.eval_data,
        max_steps=max_steps,
        callbacks=[*porting.callbacks(model), *callbacks],
        **{"throttle_secs": 0} | options,
    )
    return model, result


def test_a_fraction_of_steps_ends_at_the_next_step(tmp_path):
    model, (metrics, _) = ours(tmp_path, max_steps=5 / 2)
    assert metrics["global_step"] == int(model.optimizer.iterations.numpy()) == 3
    porting.train(model, generated.train_data, steps=3 / 2)
    assert int(model.optimizer.iterations.numpy()) == 5


def test_the_loss_of_a_training_is_not_that_of_the_evaluations_within(tmp_path):
    """Callbacks and `fit` report the mean over the batches of the training alone."""
    means = []
    for save_steps, throttle_secs in ((1, 0), (None, 600)):
        tf_keras.utils.set_random_seed(1)
        losses = tf_keras.callbacks.LambdaCallback(
            on_epoch_end=lambda epoch, logs: means.append(logs["loss"])
        )
        folder = tmp_path / str(save_steps)
        ours(folder, 6, losses, save_steps=save_steps, throttle_secs=throttle_secs)
    assert means[0] == pytest.approx(means[1], rel=1e-5)


def test_an_evaluation_with_a_name_writes_its_results(tmp_path):
    model, _ = ours(tmp_path / "a", max_steps=2)
    results = porting.evaluate(model, generated.eval_data(), name="mine")
    written = summaries.read(str(tmp_path / "a" / "eval_mine"))
    assert written == {2: pytest.approx({key: results[key] for key in ("loss", "mae")})}
    porting.evaluate(generated.compiled(), generated.eval_data(), name="mine")  # It has no folder.


def exporters(kind, serving):
    return [
        kind.FinalExporter("final", serving),
        kind.LatestExporter("latest", serving, exports_to_keep=2),
        kind.BestExporter("best", serving),
    ]


def theirs(folder, max_steps=10, data=generated.train_data, throttle_secs=0):
    """Returns the result of an Estimator's training."""
    config = tf_estimator.RunConfig(str(folder), save_checkpoints_steps=4)
    return tf_estimator.train_and_evaluate(
        tf_estimator.Estimator(model_fn, config=config),
        tf_estimator.TrainSpec(data, max_steps=max_steps),
        tf_estimator.EvalSpec(
            generated.eval_data,
            steps=None,
            name="mine",
            exporters=exporters(tf_estimator, receiver_fn),
            throttle_secs=throttle_secs,
        ),
    )


def left(folder):
    """Returns the names of metrics by evaluated step, and the number of exports by exporter."""
    evaluated = summaries.read(f"{folder}/eval_mine")
    exports = {p.name: len([*p.iterdir()]) for p in pathlib.Path(folder, "export").iterdir()}
    return {step: sorted(found) for step, found in evaluated.items()}, exports


@pytest.mark.parametrize(
    ("max_steps", "throttle_secs"), [(8, 0), (10, 600), (None, 0)], ids=["each", "few", "data end"]
)
def test_it_evaluates_and_exports_as_an_estimator(max_steps, throttle_secs, tmp_path, capsys):
    data = (lambda: generated.train_data().take(6)) if max_steps is None else generated.train_data
    for _ in range(2):  # If the steps are limited, nothing is left for the second training.
        expected = theirs(tmp_path / "a", max_steps, data, throttle_secs)
        _, found = ours(
            tmp_path / "b",
            max_steps,
            data=data,
            eval_name="mine",
            exporters=exporters(porting, generated.serving),
            throttle_secs=throttle_secs,
        )
        assert left(tmp_path / "b") == left(tmp_path / "a")
        if expected[0] is None:
            assert found == (None, None)
            assert f"nothing is left to train: step {max_steps}" in capsys.readouterr().err
            continue
        assert set(found[0]) == set(expected[0])
        assert found[0]["global_step"] == expected[0]["global_step"]
        assert [path is None for path in found[1]] == [path is None for path in expected[1]]


def test_what_is_returned_is_of_the_weights_at_the_end(tmp_path):
    model, (metrics, exported) = ours(
        tmp_path, exporters=porting.FinalExporter("final", generated.serving)
    )
    expected = model.evaluate(generated.eval_data(), verbose=0, return_dict=True)
    assert metrics == pytest.approx(expected | {"global_step": 10})
    signature = tf.saved_model.load(exported[0].decode()).signatures["serving_default"]
    x = tf.ones([1, 4])
    np.testing.assert_allclose(signature(x=x)["out"], model({"x": x}), rtol=1e-5)


def test_it_goes_on_from_its_checkpoint(tmp_path):
    ours(tmp_path / "a", 5)
    model, (metrics, _) = ours(tmp_path / "a", 9)
    assert metrics["global_step"] == 9
    assert steps_saved(tmp_path / "a") == [0, 4, 5, 9]
    expected = generated.compiled()
    for steps in (5, 4):  # The data start from the beginning again, as an Estimator's do.
        expected.fit(generated.train_data().take(steps), verbose=0)
    for one, other in zip(model.get_weights(), expected.get_weights()[:4], strict=False):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_data_of_unknown_length_end_it_at_their_last_step(tmp_path):
    data = generated.data().filter(lambda features, labels: True).batch(8)
    model, (metrics, _) = ours(tmp_path, None, data=lambda: data)
    assert metrics["global_step"] == int(model.optimizer.iterations) == 8
    plain = generated.compiled()
    plain.fit(data, verbose=0)
    assert int(plain.optimizer.iterations) == 9  # Keras counts one step too many.


def test_without_a_callback_it_saves_as_a_run_config_that_says_nothing(tmp_path):
    model = generated.compiled()
    porting.restore(model, str(tmp_path))
    porting.train_and_evaluate(model, generated.train_data, generated.eval_data, 3, throttle_secs=0)
    assert steps_saved(tmp_path) == [0, 3]


@pytest.mark.parametrize(("threshold", "stops"), [(10.0, True), (-1.0, False)])
def test_it_stops_early(threshold, stops, tmp_path):
    stop = porting.StopIfLower("loss", threshold, run_every_secs=None, run_every_steps=1)
    _, (metrics, exported) = ours(
        tmp_path, 20, stop, exporters=[porting.FinalExporter("final", generated.serving)]
    )
    # The training sees the decision one step after the first evaluation, which is at step 4.
    assert metrics["global_step"] == (5 if stops else 20)
    assert exported[0]


def test_a_signal_ends_it_with_a_checkpoint(tmp_path):
    class Interrupts(tf_keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if batch == 5:
                os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(SystemExit) as ended:
        ours(tmp_path, 100, Interrupts(), save_steps=50)
    assert ended.value.code == 143
    assert steps_saved(tmp_path) == [0, 6]


def test_a_loss_of_nan_is_an_error(tmp_path):
    with pytest.raises(tf.compat.v1.train.NanLossDuringTrainingError):
        ours(tmp_path, data=lambda: generated.data(slope=np.float32(np.nan)).repeat().batch(8))


def test_mistakes_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="max_steps must be positive or None, not 0"):
        ours(tmp_path, 0)
    one = porting.FinalExporter("a", generated.serving)
    with pytest.raises(ValueError, match="different names, not a, a"):
        ours(tmp_path, exporters=[one, one])
    cluster = {"worker": ["localhost:1", "localhost:2"]}
    config = {"cluster": cluster, "task": {"type": "worker", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(TFConfigError, match=r"porting.strategy\(model_dir\).scope"):
        ours(tmp_path)
    with pytest.raises(TFConfigError, match=r"no folder .*porting.restore\(model, model_dir\)"):
        porting.train_and_evaluate(generated.compiled(), generated.train_data, generated.eval_data)
    assert not (tmp_path / "tasks").exists()


def test_several_replicas_train_and_evaluate_as_one():
    subprocess.run(
        [sys.executable, "-m", "tests.modern.two_replicas"],
        env=os.environ | ENV, check=True, timeout=120,
    )  # fmt: skip
