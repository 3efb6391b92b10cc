"""Tests of the costs that a report has."""

import copy
import json

import pytest

from benchmarks.forecasting import calibration
from benchmarks.reporting import report
from tests.benchmarks import comparison

ON_PS = ("legacy", "parameter_server")


def whole_report(**speeds):
    """Returns a report of ways with two trainers and `single`, with these speeds."""
    runs = {
        way: [comparison.result(way, examples_per_second=speed, batch_size=64)]
        for way, speed in speeds.items()
    }
    return report.build("mnist_cnn", "digits", runs, [], command=comparison.COMMAND)


def test_the_work_of_a_trainer_is_its_part_of_a_step():
    # single: 64 examples in 10 ms. Two batches take 20 ms to compute, and 30 ms with the rest.
    whole = whole_report(single=6400.0, multi_worker_mirrored=128 / 0.030, legacy=128 / 0.060)
    costs = calibration.of_report(whole)
    assert set(costs) == {"multi_worker_mirrored", "legacy"}
    ring, legacy = costs["multi_worker_mirrored"], costs["legacy"]
    assert (ring.synchronous, ring.compresses) == (True, True)
    assert (legacy.synchronous, legacy.compresses) == (False, False)
    assert (ring.trainers, ring.batch_size, ring.parameter_bytes) == (2, 64, 11_079_720)
    assert ring.compute_s == legacy.compute_s == pytest.approx(0.010)
    assert ring.software_s == pytest.approx(0.005)
    assert legacy.software_s == pytest.approx(0.020)


def test_the_spread_is_that_of_single():
    runs = {
        "single": [comparison.result("single", step_ms={"p50": 10.0, "p90": 12.816})],
        "legacy": [comparison.result("legacy")],
    }
    whole = report.build("mnist_cnn", "digits", runs, [], command=comparison.COMMAND)
    # The 90th percentile of a normal distribution is 1.2816 standard deviations from the median.
    assert calibration.of_report(whole)["legacy"].spread_s == pytest.approx(2.2e-3, rel=1e-2)


def test_a_negative_cost_counts_as_none():
    whole = whole_report(single=6400.0, parameter_server=7000.0)
    assert calibration.of_report(whole)["parameter_server"].software_s == 0


def test_ways_in_one_process_have_no_forecast():
    whole = whole_report(single=6400.0, mirrored=6000.0, legacy=5000.0)
    assert set(calibration.of_report(whole)) == {"legacy"}


def _without_single(whole):
    del whole["ways"]["single"]


def _only_single(whole):
    whole["ways"] = {"single": whole["ways"]["single"]}


def _without_cost(whole):
    del whole["cost"]


def _without_size(whole):
    del whole["ways"]["legacy"]["parameter_bytes"]


def _zero_batch(whole):
    whole["ways"]["legacy"]["batch_size"] = 0


def _text_as_size(whole):
    whole["ways"]["legacy"]["parameter_bytes"] = "11 MB"


def _huge(whole):
    whole["ways"]["legacy"]["trainers"] = 10**400


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_without_single, "lacks the way single"),
        (_only_single, "no way with several trainers (single)"),
        (_without_cost, "ways.legacy has no usable cost"),
        (_without_size, "ways.legacy has no usable cost"),
        (_zero_batch, "ways.legacy has no usable cost"),
        (_text_as_size, "ways.legacy has no usable cost"),
        (_huge, "no report of a comparison"),
    ],
)
def test_a_report_that_lacks_something_is_named(tmp_path, change, reason):
    whole = copy.deepcopy(whole_report(single=6400.0, legacy=5000.0))
    change(whole)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(whole))
    with pytest.raises(calibration.ReportError) as caught:
        calibration.read(path)
    assert str(caught.value).startswith(str(path))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff\xfe\x00", b'{"schema": 2}', b"[" * 100_000, b"null"]
)
def test_a_foreign_file_is_named(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(calibration.ReportError, match="is no report of a comparison") as caught:
        calibration.read(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(calibration.ReportError, match="cannot be read"):
            calibration.read(path)
