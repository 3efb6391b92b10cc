"""Tests the flags of the launcher."""

import pytest

from modern.launcher import devices, launch_flags


@pytest.mark.parametrize(
    ("choice", "chief"), [("auto", ""), ("estimator", "0")], ids=["auto", "estimator"]
)
def test_only_an_estimators_chief_gets_gpus(monkeypatch, choice, chief):
    monkeypatch.setattr(devices, "visible", lambda: ["0", "1"])
    values = launch_flags.define()
    values(["launch", "--chief", "--workers=1", "--ps=1", f"--devices={choice}"])
    division = launch_flags.gpu_division(values)
    assert division.variables("chief", 0)["CUDA_VISIBLE_DEVICES"] == chief


def test_all_gpus_are_left_to_all_tasks_by_default():
    values = launch_flags.define()
    values(["launch"])
    assert launch_flags.gpu_division(values) is None
