"""Tests of Estimator on one machine, with the values of TensorFlow 2.15."""

import itertools
import pathlib

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from modern.records import run_lock
from tests.legacy.estimator.models import Losses, dataset, model_fn

tf1 = tf.compat.v1


def test_training_writes_the_files_of_the_original(trained):
    names = {path.name for path in pathlib.Path(trained.model_dir).iterdir()}
    events = {name for name in names if name.startswith("events.out.tfevents.")}
    saved = {
        f"model.ckpt-{step}.{part}"
        for step in (0, 10)
        for part in ("data-00000-of-00001", "index", "meta")
    }
    assert len(events) == 1
    assert names - events == saved | {"checkpoint", "graph.pbtxt"}


def test_variables(trained):
    assert trained.get_variable_names() == ["b", "b/Momentum", "global_step", "w", "w/Momentum"]
    assert trained.get_variable_value("global_step") == 10
    with pytest.raises(tf.errors.NotFoundError):
        trained.get_variable_value("nope")


def test_training_goes_on_from_the_checkpoint(trained):
    again = estimator.Estimator(model_fn, trained.model_dir)
    again.train(dataset, steps=5)
    assert again.get_variable_value("global_step") == 15
    losses = Losses()
    again.train(dataset, max_steps=15, hooks=[losses])
    assert losses.values == []  # The training was at max_steps before.


def test_steps_count_that_another_run_trained_before_the_lock_was_held(trained, monkeypatch):
    hold = run_lock.held_or_exit
    here, other = (estimator.Estimator(model_fn, trained.model_dir) for _ in range(2))

    def hold_late(model_dir):
        monkeypatch.undo()
        other.train(dataset, max_steps=15)
        return hold(model_dir)

    monkeypatch.setattr(run_lock, "held_or_exit", hold_late)
    here.train(dataset, max_steps=15)
    assert here.get_variable_value("global_step") == 15


def test_same_seed_same_losses(tmp_path):
    def random_model_fn(features, labels, mode):
        weight = tf1.get_variable("w", [1, 1], initializer=tf1.random_normal_initializer())
        loss = tf1.losses.mean_squared_error(labels, tf.matmul(features, weight))
        step = tf1.train.get_global_step()
        train_op = tf1.train.GradientDescentOptimizer(0.01).minimize(loss, step)
        return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    runs = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        losses = Losses()
        config = estimator.RunConfig(str(tmp_path / name), tf_random_seed=seed)
        run = estimator.Estimator(random_model_fn, config=config)
        runs.append(losses.values)
        run.train(dataset, steps=3, hooks=[losses])
    assert runs[0] == runs[1] != runs[2]


def test_evaluate_without_a_checkpoint_initializes(tmp_path):
    fresh = estimator.Estimator(model_fn, tmp_path / "fresh")
    assert fresh.evaluate(dataset, steps=1)["loss"] == pytest.approx(1.22)


def test_predict(trained):
    single = list(itertools.islice(trained.predict(dataset), 3))
    batch = next(trained.predict(dataset, yield_single_examples=False))
    assert single[0]["y"].shape == (1,)
    np.testing.assert_array_equal(batch["y"], [single[0]["y"], single[1]["y"]])
    with pytest.raises(ValueError, match="Expected to run at least one output"):
        next(trained.predict(dataset, predict_keys=["nope"]))


def test_predictions_without_a_batch(tmp_path):
    def scalar_model_fn(features, mode):
        return estimator.EstimatorSpec(mode, predictions={"one": tf.constant(1.0)})

    one = estimator.Estimator(scalar_model_fn, tmp_path)
    with pytest.raises(IndexError, match=r"predictions\[one\] is a scalar"):
        next(one.predict(dataset))
    assert next(one.predict(dataset, yield_single_examples=False)) == {"one": 1.0}


def test_model_fn_gets_what_it_asks_for(tmp_path):
    seen = {}

    def asking(features, labels, mode, params, config):
        seen.update(mode=mode, params=params, config=config)
        return model_fn(features, labels, mode)

    def input_fn(params, mode):
        seen.update(input_params=params, input_mode=mode)
        return dataset()

    asked = estimator.Estimator(asking, tmp_path / "m", params={"rate": 1})
    asked.train(input_fn, steps=1)
    assert seen["mode"] == seen["input_mode"] == "train"
    assert seen["params"] == seen["input_params"] == {"rate": 1}
    assert isinstance(seen["config"], estimator.RunConfig)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"steps": 0}, ValueError, "Must specify steps > 0, given: 0"),
        ({"max_steps": 0}, ValueError, "Must specify max_steps > 0, given: 0"),
        ({"steps": 1, "max_steps": 1}, ValueError, "Can not provide both steps and max_steps"),
        ({"hooks": [5]}, TypeError, "Hooks must be a SessionRunHook, given: 5"),
        ({"saving_listeners": [5]}, TypeError, "saving_listeners must be a list of"),
    ],
)
def test_wrong_arguments_of_train(tmp_path, arguments, error, message):
    with pytest.raises(error, match=message):
        estimator.Estimator(model_fn, tmp_path).train(dataset, **arguments)


def test_wrong_results_of_the_users_functions(tmp_path):
    no_spec = estimator.Estimator(lambda features, labels: 1, tmp_path)
    with pytest.raises(ValueError, match="model_fn should return an EstimatorSpec"):
        no_spec.train(dataset, steps=1)
    no_labels = estimator.Estimator(lambda features: 1, tmp_path)
    with pytest.raises(ValueError, match="model_fn does not take labels"):
        no_labels.train(dataset, steps=1)
    triple = estimator.Estimator(model_fn, tmp_path)
    with pytest.raises(ValueError, match="len 2 tuple"):
        triple.train(lambda: (1, 2, 3), steps=1)
