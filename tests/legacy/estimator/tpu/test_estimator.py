"""Tests of TPUEstimator where the original fails or needs a TPU. The oracle covers the rest."""

import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator
from tests.legacy.estimator import models

tpu = estimator.tpu


def model_fn(features, labels, mode, params):
    spec = models.model_fn(features, labels, mode)
    return tpu.TPUEstimatorSpec(
        mode, predictions=spec.predictions, loss=spec.loss, train_op=spec.train_op
    )


def input_fn(params):
    return models.dataset(params.get("batch_size", 2), repeat=1)


def make(folder, model_fn=model_fn, **kwargs):
    config = tpu.RunConfig(model_dir=str(folder), log_step_count_steps=2)
    return tpu.TPUEstimator(model_fn, config=config, **{"use_tpu": False, **kwargs})


def test_use_tpu_says_that_there_is_none(tmp_path):
    made = make(tmp_path, use_tpu=True, train_batch_size=8)
    for call in (
        lambda: made.train(input_fn, steps=1),
        lambda: made.evaluate(input_fn, steps=1),
        lambda: list(made.predict(input_fn)),
    ):
        with pytest.raises(RuntimeError, match=r"use_tpu=True.*find any TPU.*Use use_tpu=False"):
            call()
    elsewhere = make(tmp_path, use_tpu=True, train_batch_size=8, eval_on_tpu=False)
    assert "loss" in elsewhere.evaluate(input_fn, steps=1)


def test_without_batch_sizes(tmp_path):
    made = make(tmp_path)
    made.train(input_fn, steps=5)  # Enough steps for a line in the log.
    assert made.get_variable_value("global_step") == 5


def test_hyperparameters_that_are_no_dict(tmp_path):
    class HParams:
        """Imitates contrib.training's HParams: a key is added once and can then be set."""

        def __init__(self, **values):
            self.__dict__.update(values)

        def __contains__(self, key):
            return key in self.__dict__

        def add_hparam(self, key, value):
            assert key not in self
            setattr(self, key, value)

        def set_hparam(self, key, value):
            assert key in self
            setattr(self, key, value)

    seen = []

    def see(features, labels, mode, params):
        seen.append((params.rate, params.batch_size, params.use_tpu))
        return model_fn(features, labels, mode, params)

    params = HParams(rate=0.5, use_tpu=True)
    made = make(tmp_path, see, params=params, train_batch_size=4)
    made.train(lambda params: models.dataset(params.batch_size, repeat=1), steps=1)
    assert seen == [(0.5, 4, False)]
    assert "batch_size" not in params


def test_an_export_is_for_cpus(tmp_path, caplog):
    make(tmp_path, train_batch_size=4).train(input_fn, steps=1)
    made = make(tmp_path)
    path = tf.compat.as_str(made.export_saved_model(str(tmp_path / "e"), models.receiver_fn))
    assert "export_to_tpu=True has no effect" in caplog.text
    assert tf.saved_model.contains_saved_model(path)
    made = make(tmp_path, export_to_cpu=False)
    with pytest.raises(ValueError, match="Use export_to_cpu=True"):
        made.export_saved_model(str(tmp_path / "e"), models.receiver_fn)
    made = make(tmp_path, export_to_cpu=False, export_to_tpu=False)
    with pytest.raises(ValueError, match="One of export_to_cpu and export_to_tpu"):
        made.export_saved_model(str(tmp_path / "e"), models.receiver_fn)


def test_in_memory_evaluation_gets_the_batch_size(tmp_path):
    sizes = []

    def eval_input_fn(params):
        sizes.append(params["batch_size"])
        return input_fn(params)

    made = make(tmp_path, train_batch_size=4, eval_batch_size=8)
    hook = estimator.experimental.InMemoryEvaluatorHook(made, eval_input_fn)
    made.train(input_fn, hooks=[hook], steps=2)
    assert sizes == [8]
