"""Tests that a model evaluates chosen checkpoints, and keeps its own weights."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern import porting
from modern.model_files import weights
from modern.porting import chosen_checkpoints


def _model(folder, units=1):
    model = tf_keras.Sequential(
        [tf_keras.layers.Dense(units, name="dense", kernel_initializer="zeros")]
    )
    model.compile(tf_keras.optimizers.SGD(0.1), "mse")
    porting.restore(model, folder, save_steps=1)
    return model


def _data(count=1):
    return tf.data.Dataset.from_tensors(([[1.0, 2.0]], [[3.0]])).repeat(count)


@pytest.fixture
def trained(tmp_path):
    """Returns a model after three steps, and the results of an evaluation after each step."""
    model, results = _model(str(tmp_path)), []
    for _ in range(3):
        model.fit(_data(), callbacks=porting.callbacks(model), verbose=0)
        results.append(porting.evaluate(model, _data()))
    return model, results


def test_all_checkpoints_are_evaluated(trained, tmp_path):
    model, results = trained
    assert results[0]["loss"] != results[1]["loss"]
    state = porting.checkpoint_state(str(tmp_path))
    paths = [*state.all_model_checkpoint_paths]
    assert paths[-1] == porting.latest_checkpoint(str(tmp_path)) == state.model_checkpoint_path
    again = [porting.evaluate(model, _data(), checkpoint_path=path) for path in paths[-3:]]
    assert again == results
    assert porting.evaluate(model, _data()) == results[-1]
    # A new model, whose variables do not exist yet.
    assert porting.evaluate(_model(None), _data(), checkpoint_path=paths[-2]) == results[-2]


def test_predictions_of_a_checkpoint_do_not_change_the_model(trained, tmp_path):
    model, _ = trained
    path = str(tmp_path / "model.ckpt-1")  # The path that an Estimator would have written.
    predictions = porting.predict(model, _data(3), checkpoint_path=path)
    first = next(predictions)
    own = next(porting.predict(model, _data()))
    assert not np.array_equal(first, own)
    np.testing.assert_array_equal(next(predictions), first)
    np.testing.assert_array_equal(next(porting.predict(model, _data())), own)


def test_a_checkpoint_of_an_estimator_is_evaluated(trained, tmp_path):
    model, _ = trained
    path = str(tmp_path / "old" / "model.ckpt-9")
    values = {"dense/kernel": np.ones([2, 1], np.float32), "dense/bias": np.zeros(1, np.float32)}
    weights.save(path, {**values, "global_step": np.array(9, np.int64)})
    result = porting.evaluate(model, _data(), checkpoint_path=path)
    assert result == {"loss": 0.0, "global_step": 9}
    assert porting.checkpoint_state(str(tmp_path / "none")) is None
    del values["dense/bias"]
    weights.save(path, values)
    with pytest.raises(weights.CheckpointError, match="has no 'dense/bias'"):
        porting.evaluate(model, _data(), checkpoint_path=path)


def test_a_checkpoint_of_another_model_is_an_error(trained, tmp_path):
    with pytest.raises(weights.CheckpointError, match="does not belong to this model"):
        porting.evaluate(_model(None, units=2), _data(), checkpoint_path=str(tmp_path))


def test_new_checkpoints_are_yielded_until_none_comes(trained, tmp_path, monkeypatch):
    model, _ = trained
    monkeypatch.setattr(chosen_checkpoints, "_POLL_SECS", 0.01)
    answers = [False, True]
    steps = []
    for path in porting.checkpoints_iterator(str(tmp_path), 0, 0.05, lambda: answers.pop(0)):
        steps.append(int(path.rpartition("-")[2]))
        if len(steps) == 1:
            model.fit(_data(), callbacks=porting.callbacks(model), verbose=0)
    assert (steps, answers) == ([3, 4], [])
    assert list(porting.checkpoints_iterator(str(tmp_path / "none"), timeout=0)) == []
