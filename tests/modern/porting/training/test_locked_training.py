"""Tests of trainings in a folder in which another run has trained since the program restored it."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate import bridge
from migrate.bridge import as_estimator
from modern import porting
from modern.records import run_lock
from tests.migrate.bridge import small
from tests.modern import generated


def restored(folder, is_built=False):
    """Returns a model at the latest step of the folder."""
    model = generated.compiled()
    if is_built:
        model.predict_on_batch({"x": tf.zeros([1, 4])})
    porting.restore(model, str(folder), save_steps=5)
    return model


def by_train(model, steps):
    porting.train(model, generated.train_data, max_steps=steps)


def by_train_and_evaluate(model, steps):
    porting.train_and_evaluate(model, generated.train_data, generated.eval_data, max_steps=steps)


def by_fit(model, steps):
    model.fit(
        generated.train_data().take(steps // 2), callbacks=porting.callbacks(model), verbose=0
    )


CALLS = pytest.mark.parametrize("call", [by_train, by_train_and_evaluate, by_fit])


@pytest.mark.parametrize(
    ("call", "is_built"),
    [(by_train, False), (by_train_and_evaluate, True), (by_fit, False), (by_fit, True)],
)
def test_it_continues_from_the_latest_step(call, is_built, tmp_path, capfd):
    early = restored(tmp_path / "a", is_built)
    by_train(restored(tmp_path / "a"), 10)
    by_train(restored(tmp_path / "b"), 10)
    late = restored(tmp_path / "b")
    capfd.readouterr()
    for model in (early, late):
        call(model, 20)
    assert [int(model.optimizer.iterations) for model in (early, late)] == [20, 20]
    for ours, theirs in zip(early.get_weights()[:4], late.get_weights()[:4], strict=True):
        np.testing.assert_array_equal(ours, theirs)
    said = [line for line in capfd.readouterr().err.splitlines() if "restored again" in line]
    assert len(said) == 1
    assert f"{tmp_path / 'a' / 'checkpoints' / 'ckpt-10'} was saved after" in said[0]


def test_a_waiting_model_takes_the_later_checkpoint(tmp_path):
    by_train(restored(tmp_path), 5)
    early = restored(tmp_path)
    by_train(restored(tmp_path), 10)
    by_train(early, 20)
    assert int(early.optimizer.iterations) == 20
    assert porting.latest_checkpoint(str(tmp_path)).endswith("ckpt-20")


def test_further_steps_are_counted_from_the_latest(tmp_path):
    early = restored(tmp_path)
    by_train(restored(tmp_path), 10)
    porting.train(early, generated.train_data, steps=5)
    assert int(early.optimizer.iterations) == 15


@CALLS
def test_it_keeps_changes_of_the_program(call, tmp_path):
    """Its own checkpoint is of a later step, but of no other run."""
    model = restored(tmp_path)
    by_train(model, 10)
    model.optimizer.iterations.assign(0)
    call(model, 4)
    assert int(model.optimizer.iterations) == (2 if call is by_fit else 4)


def test_the_folder_is_locked_before_it_is_read(tmp_path, monkeypatch):
    early = restored(tmp_path)
    by_train(restored(tmp_path), 10)
    owners = []
    restore = tf.train.Checkpoint.restore

    def watched(self, path, *args):
        owners.append(run_lock.owner(tmp_path))
        return restore(self, path, *args)

    monkeypatch.setattr(tf.train.Checkpoint, "restore", watched)
    by_train(early, 20)
    assert owners
    assert None not in owners


@pytest.mark.filterwarnings("ignore:`tf.* is deprecated", "ignore:`layer.* is deprecated")
@pytest.mark.parametrize("is_built", [False, True], ids=["unbuilt", "built"])
def test_a_bridged_model_continues_from_the_latest_step(is_built, tmp_path):
    def bridged():
        model = bridge.KerasModelFn(small.model_fn, {})
        if is_built:
            model.build_on(small.endless(), mode="train")
        as_estimator.restore(model, str(tmp_path), save_steps=5)
        return model

    early = bridged()
    as_estimator.train(bridged(), small.endless, max_steps=10)
    batches = []
    count = tf_keras.callbacks.LambdaCallback(on_train_batch_end=lambda b, logs: batches.append(b))
    as_estimator.train(
        early, small.endless, max_steps=15, callbacks=[*as_estimator.callbacks(early), count]
    )
    assert int(early.global_step) == 15
    assert len(batches) == 5
