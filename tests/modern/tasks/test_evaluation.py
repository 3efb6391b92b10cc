"""Tests of evaluation and export outside of the strategy, and of the evaluator task."""

import threading

import numpy as np
import pytest
import tensorflow as tf

from modern.data import linear
from modern.jobs import linear_regression
from modern.model_files import checkpoints, weights
from modern.records import task_records
from modern.tasks import evaluation
from modern.tasks.job import DocumentedJob, LearningRate
from tests.modern.cluster.processes import until

pytestmark = pytest.mark.keras(2, 3)


@pytest.fixture(scope="module")
def arrays():
    return linear_regression.load_data("synthetic")


@pytest.fixture(scope="module")
def job(arrays):
    return DocumentedJob(linear_regression, arrays, LearningRate())


def of(kernel=linear.WEIGHTS, bias=linear.BIAS):
    return {"linear/kernel": kernel, "linear/bias": np.reshape(bias, [1])}


def test_the_true_line_has_the_loss_of_the_noise(job):
    found = evaluation.evaluate(job, evaluation.plain_model(job, of()))
    assert found["loss"] == pytest.approx(linear.NOISE**2, rel=0.2)
    away = evaluation.evaluate(job, evaluation.plain_model(job, of(bias=5.0)))
    assert away["loss"] > 20


def test_all_test_examples_count_the_same(arrays, job):
    model = evaluation.plain_model(job, of(bias=1.0))
    error = model(arrays.test_features).numpy() - arrays.test_labels
    found = evaluation.evaluate(job, model)
    assert found["loss"] == pytest.approx(float(np.mean(error**2)), rel=1e-5)


def test_batches_of_a_fixed_size_whose_number_is_unknown_are_counted_right(arrays, job):
    """Keras begins a step to see whether there is more data."""

    class Streamed(DocumentedJob):
        def eval_batches(self, batch_size):
            pairs = super().eval_batches(1).unbatch().take(300)
            return pairs.batch(100, drop_remainder=True).filter(lambda x, y: True)

    streamed = Streamed(linear_regression, arrays, LearningRate())
    model = evaluation.plain_model(streamed, of(bias=1.0))
    errors = model(arrays.test_features[:300]).numpy() - arrays.test_labels[:300]
    found = evaluation.evaluate(streamed, model)
    assert found["loss"] == pytest.approx(float(np.mean(errors**2)), rel=1e-5)


def test_a_weight_that_is_missing_is_refused(job):
    with pytest.raises(weights.CheckpointError, match="the trained model has no 'linear/bias'"):
        evaluation.plain_model(job, {"linear/kernel": linear.WEIGHTS})


def test_export(tmp_path, job):
    model = evaluation.plain_model(job, of())
    path = evaluation.export(model, str(tmp_path), 7)
    assert path == str(tmp_path / "export" / "7")
    points = np.eye(10, dtype=np.float32)
    signature = tf.saved_model.load(path).signatures["serving_default"]
    (outputs,) = signature(tf.constant(points)).values()
    np.testing.assert_allclose(outputs.numpy(), linear.WEIGHTS + linear.BIAS, rtol=1e-5)
    assert evaluation.export(model, str(tmp_path), 7) == path
    assert [p.name for p in (tmp_path / "export").iterdir()] == ["7"]


def test_an_export_that_fails_leaves_nothing(tmp_path):
    class Broken:
        def export(self, path):
            (tmp_path / "export" / ".7.writing").mkdir(parents=True)
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        evaluation.export(Broken(), str(tmp_path), 7)
    assert list((tmp_path / "export").iterdir()) == []


def save(model_dir, step):
    """Saves a checkpoint of the true line at a step."""
    model = linear_regression.build_model()
    model.set_weights([linear.WEIGHTS, np.reshape(linear.BIAS, [1])])
    model.compile(linear_regression.make_optimizer(0.1), linear_regression.make_loss())
    model.optimizer.iterations.assign(step)
    checkpoints.Checkpoints(model, str(model_dir), 5, True, "chief-0").save()


def evaluator(model_dir, job, train_steps):
    """Runs an evaluator in a thread. Returns the thread and the list that receives its result."""
    found = []
    thread = threading.Thread(
        target=lambda: found.append(evaluation.run_evaluator(job, str(model_dir), train_steps))
    )
    thread.start()
    return thread, found


def test_the_evaluator_ends_with_the_last_step(tmp_path, job):
    save(tmp_path, 10)
    thread, found = evaluator(tmp_path, job, 20)
    until(lambda: (tmp_path / "eval").exists())
    assert thread.is_alive()
    save(tmp_path, 20)
    thread.join(20)
    assert list(found[0]) == [10, 20]
    assert found[0][20]["loss"] == pytest.approx(0.01, rel=0.2)


def test_the_evaluator_ends_when_the_training_does(tmp_path, job):
    with task_records.Recorder(tmp_path, "chief-0"):
        pass  # The record of an earlier run, which the evaluator must ignore.
    save(tmp_path, 10)
    thread, found = evaluator(tmp_path, job, 1000)
    until(lambda: (tmp_path / "eval").exists())
    assert thread.is_alive()
    with task_records.Recorder(tmp_path, "chief-0"):
        save(tmp_path, 15)  # The training ends here, for example by an interruption.
    thread.join(20)
    assert list(found[0]) == [10, 15]
