"""Tests that the trial of forecasts catches wrong models, by recorded measurements."""

import pytest

from benchmarks.forecasting.calibration import WayCost
from tests.engines.forecast_trial import Case, Trial

# mnist_cnn with batches of 64, on two cores. Without a limit, two synchronous workers took 84 ms
# for a step, and two workers under a parameter server 79 ms. A batch takes 26 ms to compute.
COSTS = {
    "multi_worker_mirrored": WayCost(True, 2, 64, 11_082_536, 0.026, 0.016, 0.0, True),
    "parameter_server": WayCost(False, 2, 64, 11_082_536, 0.026, 0.0135, 0.0, True),
}
TWO, THREE = (Case("multi_worker_mirrored", workers, 0, 100e6) for workers in (2, 3))
ON_ONE, ON_TWO = (Case("parameter_server", 2, ps, 100e6) for ps in (1, 2))


@pytest.mark.parametrize(
    ("case", "measured_s"), [(TWO, 1.033), (THREE, 1.333), (ON_ONE, 2.790), (ON_TWO, 1.535)]
)
def test_the_model_holds(case, measured_s):
    assert case.holds(case.forecast(COSTS), measured_s)
    # Twice the bytes do not hold.
    wrong = case.forecast(COSTS, bytes_factor=2)
    assert not case.holds(wrong, measured_s)


@pytest.mark.parametrize(("case", "measured_s"), [(TWO, 1.033), (THREE, 1.333), (ON_ONE, 2.790)])
def test_half_of_the_bytes_do_not_hold(case, measured_s):
    assert not case.holds(case.forecast(COSTS, bytes_factor=0.5), measured_s)


def test_a_ring_that_sends_as_much_with_more_workers_is_caught():
    # The bytes of two workers instead of those of three.
    assert not THREE.holds(THREE.forecast(COSTS, bytes_factor=3 / 4), 1.333)


def test_the_tolerance_of_a_synchronous_step():
    forecast = TWO.forecast(COSTS)
    assert TWO.holds(forecast, forecast.low / 1.149)
    assert not TWO.holds(forecast, forecast.low / 1.151)
    assert not TWO.holds(forecast, forecast.low / 0.849)


@pytest.mark.parametrize(
    ("steps_s", "reason"),
    [
        ([0.045, 0.054], None),
        # The computer became slower between the first training and the last one.
        ([0.045, 0.06], "steps of parameter_server on a fast network took 45.0 to 60.0 ms"),
    ],
)
def test_a_computer_that_changes_its_speed_cannot_check_a_forecast(steps_s, reason):
    found = Trial(COSTS, {}, {}, {"parameter_server": steps_s}).obstacle()
    assert found is None if reason is None else found.endswith(reason)
