"""Tests of the variable that stops all workers, and of the steps at which a predicate is asked."""

import pytest
import tensorflow as tf

from legacy.estimator.hooks import stop_variable
from tests.legacy.estimator.hooks.sessions import run

tf1 = tf.compat.v1


def test_a_worker_stops_when_the_variable_says_so():
    with tf.Graph().as_default():
        stop = tf1.assign(stop_variable.get_or_create_stop_variable(), True)

        class Stop(tf1.train.SessionRunHook):
            def before_run(self, run_context):
                return tf1.train.SessionRunArgs(stop)

        assert run([stop_variable.CheckForStoppingHook()], 3) == 3
        # The variable is set in the first step. The hook sees it in that step or in the next.
        assert run([stop_variable.CheckForStoppingHook(), Stop()], 4) in (1, 2)


@pytest.mark.parametrize("late", [(), (4,), (1, 7)])
def test_it_asks_at_the_same_steps_whether_a_run_has_fetched_the_step_before_or_after_it(late):
    asked = []
    with tf.Graph().as_default(), tf1.Session() as session:
        step = tf1.train.create_global_step()
        more = tf1.assign_add(step, 1)
        hook = stop_variable.StopOnPredicateHook(
            lambda: asked.append(session.run(step)), run_every_secs=None, run_every_steps=3
        )
        hook.begin()
        session.run(tf1.global_variables_initializer())
        for _ in range(8):
            seen = session.run(more)
            train = tf1.train
            context = train.SessionRunContext(train.SessionRunArgs(None), session)
            hook.after_run(context, train.SessionRunValues(seen - (seen in late), None, None))
    assert asked == [1, 4, 7]
