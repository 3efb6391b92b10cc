"""Tests that a bridged model saves, evaluates and exports as an Estimator does."""

import pathlib

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge import as_estimator
from modern.records import summaries
from tests.migrate.bridge import small


def _files(folder):
    return sorted(path.name for path in pathlib.Path(folder).glob("model.ckpt-*.index"))


def _estimator(folder, **config):
    config = tf_estimator.RunConfig(str(folder), **config)
    return tf_estimator.Estimator(small.model_fn, params={}, config=config)


def _train(folder, steps, **saves):
    model = bridge.KerasModelFn(small.model_fn, {})
    as_estimator.restore(model, str(folder), **saves)
    model.fit(small.endless().take(steps), callbacks=as_estimator.callbacks(model), verbose=0)
    return model


def test_checkpoints_are_those_of_an_estimator(tmp_path, monkeypatch):
    config = {"save_checkpoints_steps": 2, "keep_checkpoint_max": 3}
    for steps in (5, 4):
        _estimator(tmp_path / "a", **config).train(small.endless, steps=steps)
    monkeypatch.chdir(tmp_path)
    for steps in (5, 4):
        model = _train("b", steps, save_steps=2, keep=3)
    assert _files("b") == _files("a")
    for folder in (tmp_path / "b", "b"):
        assert tf.train.latest_checkpoint(str(folder)).endswith("b/model.ckpt-9")
    assert int(model.global_step) == 9


def test_all_checkpoints_are_kept_where_that_is_asked_for(tmp_path):
    _train(tmp_path, 3, save_steps=1, keep=None)
    assert len(_files(tmp_path)) == 4


@pytest.mark.parametrize("folder", [None, "here"])
def test_nothing_is_saved_without_a_folder_or_an_interval(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saves = {"save_steps": 1} if folder is None else {}
    model = bridge.KerasModelFn(small.model_fn, {})
    as_estimator.restore(model, folder, **saves)
    model.fit(small.endless().take(1), callbacks=as_estimator.callbacks(model), verbose=0)
    assert [*tmp_path.iterdir()] == []


def test_predictions_and_exports_are_those_of_an_estimator(tmp_path):
    estimator = _estimator(tmp_path / "model")
    estimator.train(small.endless, steps=1)
    model = bridge.KerasModelFn(small.model_fn, {})
    as_estimator.restore(model, str(tmp_path / "model"))
    expected = list(estimator.predict(small.input_fn))
    found = list(as_estimator.predict(model, small.input_fn()))
    np.testing.assert_allclose(*([one["outputs"] for one in part] for part in (found, expected)))
    batch = next(as_estimator.predict(model, small.endless(), "outputs", False))
    assert batch["outputs"].shape == (16, 1)
    with pytest.raises(ValueError, match="nowhere"):
        next(as_estimator.predict(model, small.endless(), ["nowhere"]))
    for _ in range(2):
        path = as_estimator.export(model, str(tmp_path / "export"), None).decode()
        served = tf.saved_model.load(path).signatures["serving_default"]
        outputs = served(x=tf.constant(small.data()[0]["x"][:2]))["outputs"]
        # Sums over two examples round differently from sums over a batch of sixteen.
        wanted = [one["outputs"] for one in expected[:2]]
        np.testing.assert_allclose(outputs, wanted, rtol=1e-6, atol=5e-7)
    assert len([*(tmp_path / "export").iterdir()]) == 2


def test_a_loss_that_is_not_a_number_ends_the_training():
    params = {"train": lambda loss, step: tf.compat.v1.assign_add(step, 1)}
    model = bridge.KerasModelFn(small.model_fn, params)
    features, labels = small.data()
    data = tf.data.Dataset.from_tensor_slices((features, labels * np.nan)).batch(16)
    with pytest.raises(tf.compat.v1.train.NanLossDuringTrainingError):
        model.fit(data, callbacks=as_estimator.callbacks(), verbose=0)


def _receiver_fn():
    x = tf.compat.v1.placeholder(tf.float32, [None, 4], name="x")
    return tf_estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def test_train_and_evaluate_is_an_estimators(tmp_path):
    estimator = _estimator(tmp_path / "a", save_checkpoints_steps=4)
    expected, _ = tf_estimator.train_and_evaluate(
        estimator,
        tf_estimator.TrainSpec(small.endless, max_steps=10),
        tf_estimator.EvalSpec(small.input_fn, throttle_secs=0),
    )
    folder = str(tmp_path / "b")
    model = bridge.KerasModelFn(small.model_fn, {})
    as_estimator.restore(model, folder, save_steps=4)
    found, exported = as_estimator.train_and_evaluate(
        model,
        small.endless,
        small.input_fn,
        max_steps=10,
        exporters=[as_estimator.FinalExporter("final", _receiver_fn)],
        throttle_secs=0,
    )
    assert found == pytest.approx(expected, rel=1e-4)
    assert _files(folder) == _files(tmp_path / "a")
    assert tf.saved_model.load(exported[0].decode()).signatures["serving_default"]
    assert (tmp_path / "b" / "eval").exists()


def test_an_evaluator_reads_an_estimators_checkpoints(tmp_path, monkeypatch):
    estimator = _estimator(tmp_path)
    estimator.train(small.endless, max_steps=5)
    expected = estimator.evaluate(small.input_fn, name="theirs")
    cluster = '{"chief": ["localhost:1"]}'
    monkeypatch.setenv(
        "TF_CONFIG", f'{{"cluster": {cluster}, "task": {{"type": "evaluator", "index": 0}}}}'
    )
    model = bridge.KerasModelFn(small.model_fn, {})
    as_estimator.restore(model, str(tmp_path))
    given = {"max_steps": 5, "start_delay_secs": 0}
    assert as_estimator.train_and_evaluate(
        model, small.endless, small.input_fn, **given
    ) is None  # fmt: skip
    found = summaries.read(str(tmp_path / "eval"))
    del expected["global_step"]
    assert found == {5: pytest.approx(expected, rel=1e-5)}
