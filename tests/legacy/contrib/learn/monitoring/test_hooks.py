"""Tests of monitors that run as hooks."""

import types

import pytest
import tensorflow as tf

from legacy.contrib.learn.monitoring import base, hooks

tf1 = tf.compat.v1


class Noting(base.BaseMonitor):
    """Monitor that requests a tensor by name, and stops at a value."""

    def __init__(self, everywhere=False):
        super().__init__()
        self.values = []
        self._everywhere = everywhere

    run_on_all_workers = property(lambda self: self._everywhere)

    def step_begin(self, step):
        super().step_begin(step)
        return ["double"]

    def step_end(self, step, output):
        super().step_end(step, output)
        self.values.append((step, int(output["double"])))
        return output["double"] >= 4


def estimator(is_chief):
    return types.SimpleNamespace(config=types.SimpleNamespace(is_chief=is_chief))


def test_a_monitor_sees_each_step_and_stops_the_training(session):
    monitor = Noting()
    step = tf1.train.create_global_step()
    train_op = tf1.assign_add(step, 1)
    tf.multiply(tf.constant(2, tf.int64), step, name="double")
    session.run(tf1.global_variables_initializer())
    (hook,) = hooks.replace_monitors_with_hooks([monitor], estimator(True))
    hook.begin()
    context = tf1.train.SessionRunContext(tf1.train.SessionRunArgs(None), session)
    while not context.stop_requested:
        fetches = hook.before_run(context).fetches
        session.run(train_op)
        hook.after_run(context, tf1.train.SessionRunValues(session.run(fetches), None, None))
    hook.end(session)
    assert monitor.values == [(1, 2), (2, 4)]


@pytest.mark.parametrize(("is_chief", "count"), [(True, 2), (False, 1)])
def test_a_worker_runs_only_monitors_for_all_workers(is_chief, count):
    own = tf1.train.SessionRunHook()
    monitors = [Noting(), own, Noting(everywhere=True)]
    first, adapter = hooks.replace_monitors_with_hooks(monitors, estimator(is_chief))
    assert first is own
    assert len(adapter._monitors) == count
    assert hooks.replace_monitors_with_hooks(None, estimator(is_chief)) == []
