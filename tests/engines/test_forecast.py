"""Tests that forecasts hold on a network of namespaces."""

import dataclasses
import math

import pytest

from tests.engines import delays, forecast_trial, namespaces, trainings
from tests.engines.forecast_trial import Case

pytestmark = pytest.mark.engines

SYNCHRONOUS = [Case("multi_worker_mirrored", 2, 0, rate) for rate in (100e6, 1e9)]
ON_PS = [Case("parameter_server", 2, 1, rate) for rate in (100e6, 1e9)]
DELAYED = Case("multi_worker_mirrored", 2, 0, math.inf, latency_s=2e-3)


@pytest.fixture(scope="module", autouse=True)
def rights():
    if reason := namespaces.obstacle(trainings.PACKAGES):
        pytest.skip(reason)


def measured(program, cases, rounds):
    trial = forecast_trial.run(program, cases, rounds)
    if reason := trial.obstacle():
        pytest.skip(reason)
    return trial


@pytest.fixture(scope="module")
def trial():
    return measured("cnn", [*SYNCHRONOUS, *ON_PS], rounds=1)


@pytest.mark.parametrize("case", [*SYNCHRONOUS, *ON_PS])
def test_a_forecast_holds(trial, case):
    forecast, measured_s = case.forecast(trial.costs), trial.measured_s[case]
    assert case.holds(forecast, measured_s), (forecast, measured_s)


@pytest.mark.parametrize("case", [SYNCHRONOUS[0], ON_PS[0]])
def test_a_model_with_twice_the_bytes_is_caught(trial, case):
    forecast, measured_s = case.forecast(trial.costs, bytes_factor=2), trial.measured_s[case]
    assert not case.holds(forecast, measured_s), (forecast, measured_s)


def test_a_forecast_of_a_latency_holds():
    if reason := delays.obstacle():
        pytest.skip(reason)
    # Short steps vary: single trainings took from 22 to 27 ms.
    trial = measured("dense", [DELAYED], rounds=3)
    forecast, measured_s = DELAYED.forecast(trial.costs), trial.measured_s[DELAYED]
    assert DELAYED.holds(forecast, measured_s), (forecast, measured_s)
    # A model that leaves the latency out is caught.
    none = dataclasses.replace(DELAYED, latency_s=0.0).forecast(trial.costs)
    assert not DELAYED.holds(none, measured_s), (none, measured_s)
