"""One training in this process: planned, sampled, saved, interrupted, continued."""

import os
import signal

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern import checkpoints, fitting, training_model
from modern.jobs import linear_regression as job


@pytest.mark.parametrize(
    ("steps", "epoch", "start", "calls"),
    [
        (400, 200, 0, [(0, 2, 200)]),
        (405, 200, 0, [(0, 2, 200), (2, 3, 5)]),
        (5, 200, 0, [(0, 1, 5)]),
        (405, 200, 130, [(0, 1, 70), (1, 2, 200), (2, 3, 5)]),
        (405, 200, 402, [(2, 3, 3)]),
        (405, 200, 405, []),
        (405, 200, 1000, []),
        (0, 1, 0, []),
    ],
)
def test_segments(steps, epoch, start, calls):
    assert fitting.Plan(steps, epoch).segments(start) == calls


@pytest.mark.parametrize("start", range(0, 50, 7))
def test_segments_end_at_the_last_step(start):
    calls = fitting.Plan(43, 9).segments(start)
    assert sum((end - begin) * steps for begin, end, steps in calls) == max(0, 43 - start)


class At(tf_keras.callbacks.Callback):
    """Does something when a step is reached."""

    def __init__(self, step, action):
        super().__init__()
        self._step, self._action = step, action

    def on_train_batch_end(self, batch, logs=None):
        if self.model.optimizer.iterations.numpy() == self._step:
            self._action()


def fit(model_dir, steps, *callbacks, name=None, **rule):
    """(model, samples, exit code) of a training with epochs of ten steps."""
    counters = training_model.Counters(1)
    tf_keras.utils.set_random_seed(0)
    model = training_model.TrainingModel.of(job.build_model(), counters)
    model.compile(job.make_optimizer(0.01), job.make_loss())
    kept = checkpoints.Checkpoints(model, str(model_dir), 100, True, "worker-0")
    kept.restore()
    arrays = job.load_data("synthetic")
    samples, code = fitting.fit(
        model,
        lambda step: training_model.tag(job.train_input_fn(arrays, 32, 0, first_step=step), 0),
        counters,
        fitting.Plan(steps, 10),
        kept,
        checkpoints.SaveRule(**rule),
        callbacks,
        name,
    )
    return model, samples, code


def saved(model_dir):
    return sorted(int(p.stem[5:]) for p in model_dir.glob("checkpoints/*.index"))


def test_from_start_to_end(tmp_path):
    _, samples, code = fit(tmp_path, 25, every_steps=10)
    assert code == 0
    assert (samples[0].step, samples[-1].step) == (0, 25)
    assert samples[-1].examples == (25 * 32,)
    assert samples[-1].loss_sum > 0
    assert saved(tmp_path) == [10, 20, 25]


def test_by_time(tmp_path):
    fit(tmp_path, 3, every_secs=1e-9)
    assert saved(tmp_path) == [1, 2, 3]


@pytest.mark.parametrize(("signum", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_training_is_saved_and_continues_as_if_nothing_had_been(
    tmp_path, signum, expected
):
    before = signal.getsignal(signum)
    interrupt = At(13, lambda: os.kill(os.getpid(), signum))
    _, samples, code = fit(tmp_path / "one", 25, interrupt)
    assert code == expected
    assert signal.getsignal(signum) == before
    assert samples[-1].step == saved(tmp_path / "one")[-1]
    assert 13 <= samples[-1].step < 25
    model, samples, code = fit(tmp_path / "one", 25)
    assert (code, samples[-1].step) == (0, 25)
    whole, *_ = fit(tmp_path / "two", 25)
    for ours, theirs in zip(model.get_weights(), whole.get_weights(), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_an_error_is_not_an_interruption(tmp_path):
    def fail():
        raise KeyError("defect")

    with pytest.raises(KeyError):
        fit(tmp_path, 25, At(13, fail))
    assert saved(tmp_path) == []


def test_nothing_left_to_do(tmp_path):
    fit(tmp_path, 10)
    _, samples, code = fit(tmp_path, 10)
    assert (code, samples[0].step, samples[-1].step) == (0, 10, 10)
    assert samples[-1].examples == (0,)


def test_an_end_that_was_wished_before_fit_began_is_not_forgotten():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    between = fitting.BetweenSteps(fitting.Interruption(), [])
    data = tf.data.Dataset.from_tensors(([[1.0]], [[1.0]])).repeat(9)
    for expected in (9, 10):
        model.fit(data, callbacks=[between.again()], verbose=0)
        assert int(model.optimizer.iterations) == expected
        between.stop(model)


def test_a_second_signal_acts_at_once():
    interruption = fitting.Interruption()
    with interruption.watched():
        os.kill(os.getpid(), signal.SIGINT)
        assert interruption.signum == signal.SIGINT
        assert interruption.exit_code == 130
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
