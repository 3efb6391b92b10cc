"""Tests of saving and stopping between two steps."""

import signal
import threading

import pytest
import tensorflow as tf
import tf_keras

from modern.records import progress
from modern.training.adapter import ModelAdapter
from modern.training.agreement import Agreement
from modern.training.between_steps import BetweenSteps
from modern.training.interruption import Interruption
from modern.training.saving import Saver, SaveRule
from modern.training.stopping import DivergedError


class Steps:
    """Checkpoints that note the steps of their saves."""

    def __init__(self, model):
        self.model, self.saved = model, []

    def begin(self, step):
        pass

    def save(self):
        self.saved.append(int(self.model.optimizer.iterations))

    def rotate(self):
        pass


class StopAt:
    """Wish to stop at a step and later, which is asked at each second step."""

    def __init__(self, step):
        self._step = step

    def is_due_by_step(self, step):
        return step % 2 == 0

    def wishes(self, step):
        return step >= self._step


def trained(*stops, signal_at=None, labels=1.0):
    """Returns the callback, the steps of its saves and the last step of ten."""
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    adapter, interruption, files = ModelAdapter(model), Interruption(), Steps(model)
    saver = Saver(SaveRule(every_steps=3), files)
    agreement = Agreement(model.distribute_strategy)
    between = BetweenSteps(adapter, interruption, [saver], stops, agreement, adapter.sample)
    saver.begin(0)

    def interrupt(batch, logs):
        if adapter.step() == signal_at:
            interruption.signum = signal.SIGTERM

    interrupts = tf_keras.callbacks.LambdaCallback(on_train_batch_end=interrupt)
    data = tf.data.Dataset.from_tensors((tf.ones([2, 1]), tf.fill([2, 1], labels))).repeat(10)
    model.fit(data, callbacks=[interrupts, between], verbose=0)
    return between, files.saved, adapter.step()


def test_saves_when_a_checkpoint_is_due():
    between, saved, step = trained()
    assert (saved, step, between.has_stopped) == ([3, 6, 9], 10, False)


def test_a_wish_ends_the_training():
    between, saved, step = trained(StopAt(9), StopAt(5))
    assert (saved, step, between.has_stopped, between.failure) == ([3], 5, True, None)


def test_a_signal_ends_the_training():
    between, _, step = trained(signal_at=4)
    assert (step, between.has_stopped, between.failure) == (4, True, None)


def test_nan_ends_the_training_without_a_save():
    between, saved, step = trained(labels=float("nan"))
    assert (saved, step) == ([], 1)
    assert isinstance(between.failure, DivergedError)


@pytest.mark.parametrize(("step", "saved"), [(2, []), (3, [3])])
def test_a_coordinator_saves_beside_its_steps(step, saved):
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.optimizer.iterations.assign(step)
    files, agreement = Steps(model), Agreement(model.distribute_strategy)
    saver = Saver(SaveRule(every_steps=3), files)
    adapter = ModelAdapter(model)
    between = BetweenSteps(adapter, Interruption(), [saver], [], agreement, adapter.sample)
    saver.begin(0)
    assert between.check_in_thread(progress.take(step, (), 0.0))
    assert (files.saved, between.failure, between.has_stopped) == (saved, None, False)


def test_a_coordinator_saves_later_while_it_cannot():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.optimizer.iterations.assign(3)
    files, agreement = Steps(model), Agreement(model.distribute_strategy)
    saver, adapter, can_save = Saver(SaveRule(every_steps=3), files), ModelAdapter(model), []
    between = BetweenSteps(
        adapter, Interruption(), [saver], [], agreement, adapter.sample, lambda: bool(can_save)
    )
    saver.begin(0)
    assert between.check_in_thread(progress.take(3, (), 0.0))
    assert files.saved == []
    can_save.append(True)
    assert between.check_in_thread(progress.take(3, (), 0.0))
    assert files.saved == [3]


def test_a_coordinator_that_leaves_tells_its_thread_to_end():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    adapter, interruption = ModelAdapter(model), Interruption()
    agreement = Agreement(model.distribute_strategy)
    between = BetweenSteps(adapter, interruption, [], [], agreement, adapter.sample)
    answers = []

    def leave():
        interruption.signum = signal.SIGTERM
        answers.append(between.check_in_thread(progress.take(1, (), 0.0)))

    with interruption.watched():
        thread = threading.Thread(target=leave)
        with interruption.wakeable():
            thread.start()
            threading.Event().wait()  # For ever, if nothing wakes it.
        thread.join()
    assert answers == [False]
