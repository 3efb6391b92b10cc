"""Tests of early stopping between chief and workers. The oracle compares the decisions."""

import os

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.hooks import early_stopping
from tests.legacy.estimator import models
from tests.legacy.estimator.hooks.sessions import run

tf1 = tf.compat.v1


def make(folder, **config):
    return estimator.Estimator(
        models.model_fn, config=estimator.RunConfig(model_dir=str(folder), **config)
    )


def forever():
    return models.dataset().repeat()


def test_a_chief_writes_the_variable_and_forgets_it_in_the_next_training(tmp_path):
    trained = make(tmp_path)
    values = iter([False, True])

    def hook(should_stop_fn):
        return early_stopping.make_early_stopping_hook(
            trained, should_stop_fn, run_every_secs=None, run_every_steps=2
        )

    def stop():
        return bool(trained.get_variable_value("signal_early_stopping/STOP"))

    trained.train(forever, hooks=[hook(lambda: next(values))], max_steps=9)
    assert (trained.get_variable_value("global_step"), stop()) == (3, True)
    trained.train(forever, hooks=[hook(lambda: False)], max_steps=4)
    assert (trained.get_variable_value("global_step"), stop()) == (4, False)


def test_train_and_evaluate_ends(tmp_path):
    trained = make(tmp_path, save_checkpoints_steps=2)
    hook = estimator.experimental.stop_if_lower_hook(
        trained, "loss", 1e9, min_steps=4, run_every_secs=None, run_every_steps=1
    )
    estimator.train_and_evaluate(
        trained,
        estimator.TrainSpec(forever, max_steps=50, hooks=[hook]),
        estimator.EvalSpec(models.dataset, steps=1, throttle_secs=0),
    )
    assert 4 <= trained.get_variable_value("global_step") < 10


def test_all_workers_in_step(tmp_path):
    strategy = tf1.distribute.experimental.MultiWorkerMirroredStrategy()
    trained = make(tmp_path, train_distribute=strategy)
    answers = iter([False, True])
    hook = early_stopping.make_early_stopping_hook(
        trained, lambda: next(answers), run_every_secs=None, run_every_steps=2
    )
    trained.train(forever, hooks=[hook], max_steps=9)
    # The hook asks at the first and the third step. The next step sees the answer.
    assert trained.get_variable_value("global_step") == 4
    assert trained.get_variable_value("signal_early_stopping/STOP") == 1


def test_workers_in_step_forget_the_votes_in_the_next_training(tmp_path):
    strategy = tf1.distribute.experimental.MultiWorkerMirroredStrategy()
    trained = make(tmp_path, train_distribute=strategy)
    for vote, max_steps in ((True, 9), (False, 6)):
        hook = early_stopping.make_early_stopping_hook(
            trained, lambda vote=vote: vote, run_every_secs=None, run_every_steps=2
        )
        trained.train(forever, hooks=[hook], max_steps=max_steps)
    assert trained.get_variable_value("global_step") == 6
    assert trained.get_variable_value("signal_early_stopping/STOP") == 0


def test_seconds_are_for_strategies_of_one_process(tmp_path):
    mirrored = make(tmp_path, train_distribute=tf1.distribute.MirroredStrategy(["/cpu:0"]))
    hook = early_stopping.make_early_stopping_hook(mirrored, lambda: True)
    mirrored.train(forever, hooks=[hook], max_steps=9)
    assert mirrored.get_variable_value("global_step") == 1
    in_step = make(tmp_path, train_distribute=tf.distribute.MultiWorkerMirroredStrategy())
    with pytest.raises(ValueError, match="run_every_secs should not be set"):
        early_stopping.make_early_stopping_hook(in_step, lambda: True)


def write(folder, step, **values):
    with tf.Graph().as_default():
        writer = tf1.summary.FileWriter(str(folder))
        for tag, value in values.items():
            parts = [tf1.Summary.Value(tag=tag, simple_value=value)]
            writer.add_summary(tf1.Summary(value=parts), step)
        writer.close()
    return writer


def test_metrics_are_read_in_order_and_up_to_the_damage(tmp_path, caplog):
    assert early_stopping.read_eval_metrics(str(tmp_path / "none")) == {}
    write(tmp_path, 20, loss=0.5, accuracy=0.75)
    write(tmp_path / "other", 10, loss=1.0)
    source = next((tmp_path / "other").iterdir())
    damaged = tmp_path / "events.out.tfevents.2.damaged"
    damaged.write_bytes(source.read_bytes()[:-3])
    assert early_stopping.read_eval_metrics(str(tmp_path)) == {20: {"loss": 0.5, "accuracy": 0.75}}
    assert "damaged" in caplog.text
    os.replace(source, damaged)
    found = early_stopping.read_eval_metrics(str(tmp_path))
    assert list(found.items()) == [(10, {"loss": 1.0}), (20, {"loss": 0.5, "accuracy": 0.75})]


def test_a_metric_that_is_not_there(tmp_path):
    write(tmp_path, 20, loss=0.5)
    hook = early_stopping.stop_if_lower_hook(make(tmp_path), "los", 1, eval_dir=str(tmp_path))
    with (
        tf.Graph().as_default(),
        pytest.raises(KeyError, match=r"'los' is not among .* step 20 .*\['loss'\]"),
    ):
        run([hook], 1)
