"""Tests of the threads that fill a queue: their end, and their errors."""

import pytest
import tensorflow as tf

from legacy.estimator.inputs.queues.feeding_queue_runner import FeedingQueueRunner

tf1 = tf.compat.v1


def make(*feeds):
    """Returns a queue, and a runner with a thread for each list of numbers to feed."""
    queue = tf.queue.FIFOQueue(10, tf.int32, [[]])
    enqueue_ops, feed_fns = [], []
    for feed in feeds:
        placeholder = tf1.placeholder(tf.int32, [])
        enqueue_ops.append(queue.enqueue(placeholder))
        feed_fns.append(feed_fn(placeholder, feed))
    return queue, FeedingQueueRunner(queue, enqueue_ops, feed_fns=feed_fns)


def feed_fn(placeholder, values):
    left = iter(values)

    def feed():
        value = next(left, None)
        if value is None:
            raise tf.errors.OutOfRangeError(None, None, "at the end")
        if isinstance(value, Exception):
            raise value
        return {placeholder: value}

    return feed


def test_the_queue_is_closed_when_all_threads_are_done():
    with tf.Graph().as_default():
        queue, runner = make([1, 2], [3])
        tf1.train.add_queue_runner(runner)
        next_value, found = queue.dequeue(), []
        with tf1.train.MonitoredSession() as session:
            while not session.should_stop():
                found.append(session.run(next_value))
    assert sorted(found) == [1, 2, 3]


def test_an_error_ends_the_session_that_waits():
    with tf.Graph().as_default():
        queue, runner = make([1, KeyError("no such row")])
        tf1.train.add_queue_runner(runner)
        next_value = queue.dequeue()

        def read():
            with tf1.train.MonitoredSession() as session:
                while not session.should_stop():
                    session.run(next_value)

        with pytest.raises(KeyError, match="no such row"):
            read()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_without_a_coordinator_errors_are_kept():
    with tf.Graph().as_default(), tf1.Session() as session:
        _, runner = make([KeyError("x")])
        for thread in runner.create_threads(session, start=True):
            thread.join()
        assert [type(error) for error in runner.exceptions_raised] == [KeyError]


def test_running_threads_are_not_started_twice():
    with tf.Graph().as_default(), tf1.Session() as session:
        _, runner = make([1], [2])
        coordinator = tf.train.Coordinator()
        threads = runner.create_threads(session, coord=coordinator)
        assert len(threads) == 3  # The third thread cancels the queue.
        assert runner.create_threads(session) == []
        for thread in threads:
            thread.start()
        coordinator.request_stop()
        coordinator.join(threads)
        assert len(runner.create_threads(session)) == 2


def test_what_is_refused():
    with tf.Graph().as_default():
        queue, runner = make([1])
        with pytest.raises(ValueError, match="same length"):
            FeedingQueueRunner(queue, runner.enqueue_ops, feed_fns=[])
        with pytest.raises(NotImplementedError, match="serialization"):
            runner.to_proto()
