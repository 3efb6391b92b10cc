"""Tests of monitors that are called every N steps."""

import pytest

from legacy.contrib.learn.monitoring import base


class Noting(base.EveryN):
    """Monitor that notes its calls."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.begun, self.posted = [], []

    def every_n_step_begin(self, step):
        self.begun.append(step)
        return ["x"]

    def every_n_step_end(self, step, outputs):
        return outputs.get("x") == "stop"

    def every_n_post_step(self, step, session):
        self.posted.append(step)


def test_the_first_steps_and_every_third_and_the_last():
    monitor = Noting(3, 2)
    monitor.begin(max_steps=9)
    for step in range(1, 8):
        assert monitor.step_begin(step) == (["x"] if step in (1, 2, 5) else [])
        assert not monitor.step_end(step, {})
        monitor.post_step(step, None)
    assert monitor.begun == monitor.posted == [1, 2, 5]
    monitor.end()
    assert monitor.posted == [1, 2, 5, 7]


def test_a_monitor_stops_the_training():
    monitor = Noting(1)
    monitor.begin()
    monitor.step_begin(1)
    assert monitor.step_end(1, {"x": "stop"})


def test_calls_out_of_order():
    monitor = base.BaseMonitor()
    with pytest.raises(ValueError, match="end called without begin"):
        monitor.end()
    monitor.begin(max_steps=3)
    with pytest.raises(ValueError, match="begin called twice"):
        monitor.begin()
    with pytest.raises(ValueError, match="Invalid step 4"):
        monitor.step_begin(4)
    monitor.step_begin(2)
    with pytest.raises(ValueError, match="step_end expected 2 but got 3"):
        monitor.step_end(3, {})
    with pytest.raises(ValueError, match="Missing estimator"):
        monitor.set_estimator(None)
