"""Tests for a user's compiled Keras model as a job."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError
from modern.model_files import weights
from modern.tasks import counted_model, evaluation
from tests.migrate.bridge.jobs.own_ports import PROGRAM, job_of


def trained(job, steps):
    """Trains a model, and returns it with its initial weights and its counters."""
    counters = counted_model.Counters(1)
    model = job.training_model(counters, 1)
    model.compile(steps_per_execution=2)
    before = weights.read(model)
    batches = counted_model.tag(job.train_batches(0, 0, 1, 0, 0), 0)
    model.fit(batches, steps_per_epoch=steps, verbose=0)
    return model, before, counters


@pytest.mark.parametrize("name", ["build_model", "own_step"])
def test_it_trains_as_its_own_fit_does(name):
    job = job_of(name, "{}" if name == "own_step" else f"{PROGRAM}:hparams")
    model, before, counters = trained(job, 4)
    alone = job.port()
    for weight, value in zip(alone.weights, before.values(), strict=True):
        weight.assign(value)
    history = alone.fit(job.train_batches(0, 0, 1, 0, 0), steps_per_epoch=4, verbose=0)
    for found, expected in zip(model.weights, alone.weights, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    assert counters.read().examples.tolist() == [64]
    if name == "build_model":
        assert counters.read().loss_sum / 64 == pytest.approx(history.history["loss"][-1], rel=1e-5)


def test_metrics_are_read_at_the_end_of_an_execution_only(monkeypatch):
    # Synchronous workers sum them up over the network whenever they are read.
    reads = []
    result = tf_keras.metrics.Mean.result

    def counted(metric):
        graph = tf.compat.v1.get_default_graph()
        reads.append(getattr(graph, "is_control_flow_graph", False))  # The loop of the steps.
        return result(metric)

    monkeypatch.setattr(tf_keras.metrics.Mean, "result", counted)
    model, _, _ = trained(job_of("build_model"), 2)
    assert reads
    assert not any(reads)
    assert model.get_metrics_result().keys() >= {"loss", "mean_absolute_error"}


def test_names_are_the_same_each_time():
    job = job_of("build_model")
    names = [[weight.name for weight in job.port().weights] for _ in range(2)]
    assert names[0] == names[1]


def test_the_loss_of_an_evaluation_is_the_mean_of_the_batches():
    job = job_of("build_model", eval_input_fn="finite")
    model = evaluation.plain_model(job, weights.read(job.evaluation_model()))
    found = evaluation.evaluate(job, model)
    port = model.port
    losses, errors = [], []
    for x, y in job.eval_batches(0):
        losses.append(float(np.mean((port(x) - y) ** 2)))
        errors += np.abs(port(x) - y).ravel().tolist()
    assert found["loss"] == pytest.approx(np.mean(losses), rel=1e-5)
    assert found["mean_absolute_error"] == pytest.approx(np.mean(errors), rel=1e-5)


def test_it_begins_with_a_checkpoint_that_has_its_names(tmp_path):
    job = job_of("build_model")
    model = job.training_model(counted_model.Counters(1), 1)
    values = {name: value + 1 for name, value in weights.read(model).items()}
    weights.save(str(tmp_path / "start"), values)
    job.load_initial(model, str(tmp_path / "start"))
    for name, value in weights.read(model).items():
        np.testing.assert_array_equal(value, values[name])


def test_a_model_that_cannot_be_exported_is_refused_in_words(tmp_path):
    model = job_of("build_model").evaluation_model()  # Its first layer selects from a dict.
    with pytest.raises(BridgeError, match="own_program:build_model: Keras cannot export the model"):
        model.export(str(tmp_path / "export"))


def test_a_model_without_params_is_not_given_any():
    assert isinstance(job_of("own_step", "{}").port(), tf_keras.Model)


def test_a_loss_that_cannot_be_followed_is_refused():
    with pytest.raises(BridgeError, match="own_loss: its train_step .* neither compute_loss nor"):
        trained(job_of("own_loss", "{}"), 2)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("not_compiled", "is not compiled"),
        ("eval_input_fn", "it must return a tf_keras.Model"),
        ("data", "failed: TypeError"),
    ],
)
def test_what_is_no_compiled_model_is_refused(name, message):
    with pytest.raises(BridgeError, match=f"--keras_model=.*{name}.*{message}"):
        job_of(name).port()
