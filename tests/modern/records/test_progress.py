"""Tests of samples, of the progress line, and of the figures that samples give."""

import math
import threading

import pytest

from modern.records import progress
from modern.records.progress import Sample
from tests.modern.cluster.processes import until


def steady(trainer=0, trainers=1, rate=100, start=0.0, seconds=10, loss=0.5):
    """Returns a trainer's samples, two per second, at a constant rate of examples per second."""
    taken = []
    for half in range(2 * seconds + 1):
        done = rate * half // 2
        examples = tuple(done if i == trainer else 0 for i in range(trainers))
        taken.append(Sample(start + half / 2, done // 10, examples, loss * done))
    return taken


def test_json_round_trip():
    sample = progress.take(7, [3, 4], 0.25)
    assert Sample.from_json(sample.to_json()) == sample


def test_throughput_of_one():
    assert progress.examples_per_second([steady()], 0) == pytest.approx(100)


def test_throughput_adds_the_trainers_up():
    both = [steady(0, 2, 100), steady(1, 2, 60)]
    assert progress.examples_per_second(both, 20) == pytest.approx(160)
    assert progress.consumed(both) == (1000, 600)


def test_warm_up_is_left_out():
    slow = [Sample(float(t), t, (t,), 0.0) for t in range(10)]
    fast = [Sample(9.0 + t, 9 + 100 * t, (9 + 100 * t,), 0.0) for t in range(1, 11)]
    assert progress.examples_per_second([slow + fast], 9) == pytest.approx(100)
    assert progress.examples_per_second([slow + fast], 0) < 60


def test_warm_up_counts_from_where_the_run_began():
    resumed = [Sample(s.time, s.step + 5000, s.examples, s.loss_sum) for s in steady()]
    first = progress._steady([resumed], 20)[0]
    assert first == progress._steady([steady()], 20)[0] > 0


def burst(steps, seconds):
    """Returns a trainer's samples, a step of 64 examples each, evenly over the seconds."""
    return [Sample(seconds * n / steps, n, (64 * n,), 0.0) for n in range(steps + 1)]


@pytest.mark.parametrize(
    ("samples", "warmup_steps"),
    [
        (burst(10, 0.06), 0),  # 11,000 examples/s, which no trainer here reaches.
        (burst(19, 60.0), 0),
        (burst(200, 0.4), 0),
        (burst(200, 10.0), 181),
        (burst(200, 10.0), 10_000),
    ],
)
def test_too_few_steps_or_seconds_have_no_rate(samples, warmup_steps):
    assert math.isnan(progress.examples_per_second([samples], warmup_steps))
    assert all(map(math.isnan, progress.step_ms([samples], warmup_steps).values()))


@pytest.mark.parametrize(("samples", "warmup_steps"), [(burst(20, 0.5), 0), (burst(99, 9), 79)])
def test_just_enough_steps_have_a_rate(samples, warmup_steps):
    rate = (len(samples) - 1) * 64 / samples[-1].time
    assert progress.examples_per_second([samples], warmup_steps) == pytest.approx(rate)
    assert progress.step_ms([samples], warmup_steps)["p50"] == pytest.approx(64e3 / rate)


def test_no_training_has_no_rate():
    nothing = [Sample(1.0, 5, (0,), 0.0)] * 2
    assert math.isnan(progress.examples_per_second([nothing], 0))
    assert math.isnan(progress.step_ms([nothing], 0)["p50"])


def test_step_times():
    times = progress.step_ms([steady()], 0)
    assert times["p50"] == pytest.approx(100)
    assert times["p90"] == pytest.approx(100)


@pytest.mark.parametrize("ms", [30, 75, 130])
def test_step_times_do_not_depend_on_the_moments_of_samples(ms):
    samples = [Sample(t / 20, 50 * t // ms, (50 * t // ms,), 0.0) for t in range(400)]
    assert progress.step_ms([samples], 0)["p50"] == pytest.approx(ms, rel=0.05)


def test_loss_curve():
    curve = progress.loss_curve([steady(0, 2, 100, loss=0.25), steady(1, 2, 100, loss=0.75)])
    assert [x for x, _ in curve] == list(range(100, 2001, 100))  # At each sample.
    assert [y for _, y in curve] == pytest.approx([0.5] * 20)
    assert progress.loss_curve([[Sample(0.0, 5, (0,), 0.0)] * 2]) == []


def test_loss_curve_falls_where_the_loss_does():
    samples = [Sample(float(t), t, (t,), float(t if t < 500 else 500)) for t in range(1001)]
    curve = progress.loss_curve([samples])
    assert len(curve) == 80
    assert curve[0][1] == pytest.approx(1)
    assert curve[-1][1] == pytest.approx(0)


def test_a_pause_of_the_sampling_makes_a_longer_stretch():
    samples = [Sample(float(t), t, (t,), float(t)) for t in range(101) if not 10 < t < 40]
    curve = progress.loss_curve([samples])
    assert [10, 1.0] in curve
    assert curve[[x for x, _ in curve].index(10) + 1] == [40, pytest.approx(1.0)]


def test_first_step():
    assert progress.first_step_time(steady()) == 0.5
    assert progress.first_step_time(steady()[:1]) is None


def test_the_line_of_one_task():
    before, now = Sample(0.0, 1000, (10,), 5.0), Sample(5.0, 1200, (20_610,), 8245.0)
    assert progress.describe("mnist_cnn", 5000)(now, before) == (
        "mnist_cnn  step 1,200 of 5,000 (24%)  loss 0.4000  4,120 examples/s  95 s left"
    )


def test_the_line_of_several_tasks_in_step_says_the_rate_of_all():
    before, now = Sample(0.0, 1000, (0, 0), 0.0), Sample(5.0, 1200, (20_600, 0), 8240.0)
    line = progress.describe("mnist_cnn", 5000, tasks=2)(now, before)
    assert "  loss 0.4000  8,240 examples/s  " in line


def test_the_line_while_nothing_moves():
    stuck = Sample(1.0, 10, (5,), 1.0)
    assert progress.describe("job", 20)(stuck, stuck) == "job  step 10 of 20 (50%)"


def test_monitor_samples_until_the_end():
    ticked = threading.Event()
    steps = iter(range(10_000))
    with progress.Monitor(
        lambda: progress.take(next(steps), [0], 0.0), tick=lambda _: ticked.set() or True
    ) as monitor:
        assert ticked.wait(10)
    taken = [sample.step for sample in monitor.samples]
    assert taken == list(range(len(taken)))
    assert len(taken) >= 3  # At the start, at least once during the training, at the end.


def test_the_tick_may_end_the_sampling():
    reading = []
    with progress.Monitor(
        lambda: progress.take(0, [0], 0.0),
        tick=lambda _: reading.append(threading.current_thread()),  # It returns None.
    ):
        until(lambda: reading)
        reading[0].join(10)
        assert not reading[0].is_alive()
    assert len(reading) == 1


def test_monitor_hands_on_an_error_of_its_thread():
    failed = threading.Event()

    def tick(_):
        failed.set()
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):  # noqa: SIM117 - what is tested is the exit
        with progress.Monitor(lambda: progress.take(0, [0], 0.0), tick=tick):
            assert failed.wait(10)


def test_an_error_of_the_training_wins():
    with pytest.raises(KeyError), progress.Monitor(lambda: progress.take(0, [0], 0.0)):
        raise KeyError


def test_a_long_training_keeps_a_bounded_number_of_samples(monkeypatch):
    monkeypatch.setattr(progress, "_MOST_SAMPLES", 100)
    ticks = iter(range(100_000))

    def read():
        tick = next(ticks)
        return Sample(float(tick), tick, (tick,), 0.0)

    monitor = progress.Monitor(read)
    monitor.samples.append(read())
    for _ in range(5000):
        monitor.sample()
    assert 50 <= len(monitor.samples) <= 100
    times = [sample.time for sample in monitor.samples]
    assert times == sorted(times)
    assert times[0] == 0
    assert times[-1] > 4800
