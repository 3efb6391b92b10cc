"""Tests that the queues of a recorded program return elements in one order."""

import sys

import numpy as np
import pytest
import tensorflow as tf

from migrate.port.in_program import queues

MODULE = "tensorflow.python.training.input"
tf1 = tf.compat.v1


@pytest.fixture
def notes(monkeypatch):
    module = sys.modules[MODULE]
    for name in ("_batch", "_shuffle_batch"):
        monkeypatch.setattr(module, name, getattr(module, name))  # Restores it after the test.
    calls = []
    queues.patches(lambda: calls.append("shuffled"))[MODULE](module)
    return calls


def elements(create, count):
    """Returns the elements of some batches that a queue returns in a session."""
    with tf.Graph().as_default(), tf1.Session() as session:
        batch = create(tf.range(40))
        coordinator = tf1.train.Coordinator()
        threads = tf1.train.start_queue_runners(session, coordinator)
        values = [session.run(batch) for _ in range(count)]
        coordinator.request_stop()
        coordinator.join(threads)
    return np.concatenate(values).tolist()


@pytest.mark.filterwarnings("ignore")
def test_a_queue_that_shuffles_returns_elements_in_their_order(notes):
    def create(values):
        return tf1.train.shuffle_batch([values], 5, 20, 10, num_threads=4, enqueue_many=True)

    assert elements(create, 4) == [*range(20)]
    assert notes == ["shuffled"]


@pytest.mark.filterwarnings("ignore")
def test_one_thread_fills_a_queue(notes):
    def create(values):
        batch = tf1.train.batch([values], 5, num_threads=4, enqueue_many=True)
        (runner,) = tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS)
        assert len(runner.enqueue_ops) == 1
        return batch

    assert elements(create, 4) == [*range(20)]
    assert notes == []


@pytest.mark.filterwarnings("ignore")
def test_a_queue_shuffles_without_the_patch():
    def create(values):
        return tf1.train.shuffle_batch([values], 5, 40, 30, seed=1, enqueue_many=True)

    assert elements(create, 2) != [*range(10)]
