"""Tests of a training in this process: sampled, saved, interrupted, continued, stopped by NaN."""

import os
import signal

import numpy as np
import pytest
import tensorflow as tf

from modern.model_files import checkpoints
from modern.model_files.errors import CheckpointError
from modern.training.agreement import Agreement
from modern.training.saving import SaveError, SaveRule
from modern.training.stopping import DivergedError
from tests.modern.training.trained import At, batches, fit, saved


def test_from_start_to_end(tmp_path):
    _, outcome = fit(tmp_path, 25, rule=SaveRule(every_steps=10))
    samples = outcome.samples
    assert outcome.exit_code == 0
    assert (samples[0].step, samples[-1].step) == (0, 25)
    assert samples[-1].examples == (25 * 32,)
    assert samples[-1].loss_sum > 0
    assert saved(tmp_path) == [10, 20, 25]


def test_by_time(tmp_path):
    fit(tmp_path, 3, rule=SaveRule(every_secs=1e-9))
    assert saved(tmp_path) == [1, 2, 3]


@pytest.mark.parametrize(("signum", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_training_is_saved_and_continues_as_if_nothing_had_been(
    tmp_path, signum, expected
):
    before = signal.getsignal(signum)
    sent = []

    def interrupt():
        if not sent:
            sent.append(os.kill(os.getpid(), signum))

    _, outcome = fit(tmp_path / "one", 25, At(13, interrupt))
    assert outcome.exit_code == expected
    assert signal.getsignal(signum) == before
    end = outcome.samples[-1].step
    assert end == saved(tmp_path / "one")[-1]
    assert 13 <= end < 25
    model, outcome = fit(tmp_path / "one", 25)
    assert (outcome.exit_code, outcome.samples[-1].step) == (0, 25)
    whole, _ = fit(tmp_path / "two", 25)
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
    _, outcome = fit(tmp_path, 10)
    assert (outcome.exit_code, outcome.has_trained) == (0, False)
    assert outcome.samples[0].step == outcome.samples[-1].step == 10
    assert outcome.samples[-1].examples == (0,)


def _with_nan(step):
    """Returns the batches from a step on. At step 12 the labels are NaN."""
    return (
        batches(step)
        .enumerate(step)
        .map(
            lambda number, batch: (
                batch[0],
                tf.where(number == 12, np.nan, 1.0) * batch[1],
                batch[2],
            )
        )
    )


def test_nan_ends_the_training_and_leaves_the_last_good_checkpoint(tmp_path):
    with pytest.raises(DivergedError, match=r"loss = NaN at step 13\."):
        fit(tmp_path, 25, rule=SaveRule(every_steps=5), data=_with_nan)
    assert saved(tmp_path) == [5, 10]
    assert checkpoints.latest(str(tmp_path)).endswith("ckpt-10")


def test_nan_ends_the_training_quietly_where_that_is_asked(tmp_path):
    _, outcome = fit(tmp_path, 25, data=_with_nan, fails_at_nan=False)
    assert outcome.samples[-1].step == 13
    assert saved(tmp_path) == []


def test_weights_that_are_nan_are_not_saved(tmp_path):
    """The loss of step 10 is finite, but a callback then sets a weight to NaN."""
    shape = fit(tmp_path / "shape", 1)[0].trainable_variables[0].shape
    breaks = At(10, lambda: breaks.model.trainable_variables[0].assign(tf.fill(shape, np.nan)))
    with pytest.raises(DivergedError, match=r"a weight = NaN at step 10\."):
        fit(tmp_path, 25, breaks, rule=SaveRule(every_steps=5))
    assert saved(tmp_path) == [5]


def test_a_save_that_goes_on_failing_ends_the_training(tmp_path):
    """The training fails because a file is in the place of the checkpoints' folder."""
    (tmp_path / "checkpoints").write_text("")
    with pytest.raises(SaveError, match="No checkpoint could be written at step 25"):
        fit(tmp_path, 25, rule=SaveRule(retry_secs=1e-9))


def test_workers_that_begin_at_different_steps_do_not_train(tmp_path, monkeypatch):
    monkeypatch.setattr(Agreement, "of_all", lambda self, values: np.array([values, [7]]))
    with pytest.raises(CheckpointError, match="begin at different steps, 0 to 7"):
        fit(tmp_path, 25)
