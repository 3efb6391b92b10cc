"""Tests of the callbacks that replace hooks, compared with an Estimator's."""

import os
import pathlib

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from modern import porting
from modern.records import run_lock
from tests.modern import ported
from tests.modern.porting import like_ported


def _steps(folder):
    """Returns the steps that have a checkpoint."""
    found = pathlib.Path(folder).rglob("*ckpt-*.index")
    return sorted(int(path.stem.rpartition("-")[2]) for path in found)


def _train(model, folder, steps, **saves):
    porting.restore(model, str(folder), **saves)
    model.fit(ported.data().repeat().take(steps), callbacks=porting.callbacks(model), verbose=0)
    return model


@pytest.mark.parametrize("saves", [{"save_steps": 2, "keep": 3}, {"save_steps": 3, "keep": None}])
def test_checkpoints_are_of_the_steps_of_an_estimators(saves, tmp_path, monkeypatch):
    config = tf_estimator.RunConfig(
        str(tmp_path / "a"),
        save_checkpoints_steps=saves["save_steps"],
        keep_checkpoint_max=saves["keep"],
    )
    monkeypatch.chdir(tmp_path)
    for steps in (5, 4):
        estimator = tf_estimator.Estimator(like_ported.model_fn, config=config)
        estimator.train(lambda: ported.data().repeat(), steps=steps)
        model = _train(ported.built(), "b", steps, **saves)
    assert _steps("b") == _steps("a")
    assert int(model.optimizer.iterations) == 9


def test_a_model_without_variables_is_not_saved_at_the_start(tmp_path):
    _train(ported.compiled(), tmp_path, 3, save_steps=2)
    assert _steps(tmp_path) == [2, 3]
    assert porting.latest_checkpoint(str(tmp_path)).endswith("checkpoints/ckpt-3")
    assert porting.latest_checkpoint(str(tmp_path / "other")) is None


def test_seconds_count_too(tmp_path):
    _train(ported.built(), tmp_path / "always", 2, save_secs=0)
    _train(ported.built(), tmp_path / "ends", 2, save_secs=600)
    assert _steps(tmp_path / "always") == [0, 1, 2]
    assert _steps(tmp_path / "ends") == [0, 2]


def test_the_steps_are_the_batches_also_where_their_number_is_not_known(tmp_path):
    data = ported.data().take(2).filter(lambda features, labels: True)
    model = ported.compiled()
    model.fit(data.repeat(2), callbacks=porting.callbacks(), verbose=0)
    assert int(model.optimizer.iterations) == 4  # Keras alone may count 5.
    model = ported.compiled()
    porting.restore(model, str(tmp_path), save_steps=100)
    for _ in range(2):
        model.fit(data, epochs=2, callbacks=porting.callbacks(model), verbose=0)
    assert _steps(tmp_path) == [4, 8]


@pytest.mark.parametrize("folder", [None, "here"])
def test_nothing_is_saved_without_a_folder_or_an_interval(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = ported.compiled()
    porting.restore(model, folder, **({"save_steps": 1} if folder is None else {}))
    model.fit(ported.data().take(1), callbacks=porting.callbacks(model), verbose=0)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("fails", [True, False])
def test_a_loss_of_nan_ends_the_training(fails):
    model = ported.compiled()
    fitted = {"x": ported.data(np.float32(np.nan)), "callbacks": [porting.StopAtNan(fails)]}
    if fails:
        with pytest.raises(tf.compat.v1.train.NanLossDuringTrainingError):
            model.fit(**fitted, verbose=0)
    else:
        model.fit(**fitted, verbose=0)
    assert int(model.optimizer.iterations) == 1


def test_a_loss_of_infinity_or_none_does_not_end_it():
    stop = porting.StopAtNan()
    stop.on_train_batch_end(0, {"loss": np.inf})
    stop.on_train_batch_end(0, {})
    stop.on_train_batch_end(0)


def test_a_step_is_profiled_but_not_the_first(tmp_path):
    for steps, profiles in ((1, 0), (3, 1)):
        callbacks = [porting.Profile(str(tmp_path), every_steps=2)]
        ported.compiled().fit(ported.data().take(steps), callbacks=callbacks, verbose=0)
        assert len([*tmp_path.rglob("*.xplane.pb")]) == profiles


def test_a_functional_model_is_carried_as_well(tmp_path):
    def made():
        x = tf_keras.Input([4], name="x")
        model = tf_keras.Model({"x": x}, tf_keras.layers.Dense(1)(x))
        model.compile("sgd", "mse")
        return model

    first = _train(made(), tmp_path, 3, save_steps=100)
    second = made()
    porting.restore(second, str(tmp_path))
    assert int(second.optimizer.iterations) == 3
    found, expected = ([*porting.predict(one, ported.data())] for one in (second, first))
    np.testing.assert_array_equal(found, expected)


def test_fit_locks_the_folder(tmp_path):
    owners = []
    note = tf_keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: owners.append(run_lock.owner(tmp_path))
    )
    model = ported.built()
    porting.restore(model, str(tmp_path), save_steps=2)

    def fit(*callbacks):
        data = ported.data().repeat().take(2)
        model.fit(data, callbacks=[*porting.callbacks(model), *callbacks], verbose=0)

    def fail(batch, logs):
        raise ZeroDivisionError

    fit(note)
    assert [owner.pid for owner in owners] == [os.getpid()] * 2
    assert run_lock.owner(tmp_path) is None
    with pytest.raises(ZeroDivisionError):
        fit(tf_keras.callbacks.LambdaCallback(on_train_batch_end=fail))
    fit()
    assert run_lock.owner(tmp_path) is None
