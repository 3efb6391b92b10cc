"""Tests of when the position in the input is saved, and under which name."""

import json

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.hooks import CheckpointInputPipelineHook
from tests.legacy.estimator import models

tf1 = tf.compat.v1


def test_the_same_hook_goes_on_in_the_next_training(tmp_path):
    losses = models.Losses()
    config = estimator.RunConfig(model_dir=str(tmp_path), save_checkpoints_steps=3)
    trained = estimator.Estimator(models.model_fn, config=config)
    hook = CheckpointInputPipelineHook(trained)
    for _ in range(2):
        trained.train(models.dataset, hooks=[losses, hook], steps=4)
    at_once = models.Losses()
    estimator.Estimator(models.model_fn, str(tmp_path / "one")).train(
        models.dataset, hooks=[at_once], steps=8
    )
    assert losses.values == pytest.approx(at_once.values)


def test_each_trainer_has_its_own(monkeypatch, tmp_path):
    cluster = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}
    task = {"cluster": cluster, "task": {"type": "worker", "index": 1}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(task))
    hook = CheckpointInputPipelineHook(estimator.Estimator(models.model_fn, str(tmp_path)))
    monkeypatch.delenv("TF_CONFIG")
    with tf.Graph().as_default():
        tf1.train.create_global_step()
        element = tf1.data.make_one_shot_iterator(models.dataset()).get_next()
        with tf1.train.SingularMonitoredSession([hook]) as session:
            session.run(element)
    assert (tmp_path / "checkpoint_input_worker_1").exists()
    assert (tmp_path / "input_worker_1.ckpt-0.index").exists()


def test_a_training_that_does_not_save(tmp_path):
    config = estimator.RunConfig(model_dir=str(tmp_path), save_checkpoints_secs=None)
    with pytest.raises(ValueError, match="every_secs"):
        CheckpointInputPipelineHook(estimator.Estimator(models.model_fn, config=config))
