"""Tests of the app that forecasts the speed on another network."""

import subprocess
import sys

import pytest

from benchmarks.reporting import report
from tests.benchmarks import comparison

# Runs the app, and fails if it imports TensorFlow.
PROGRAM = """
import runpy, sys
sys.modules["tensorflow"] = None
sys.argv[0] = "forecast"
runpy.run_module("benchmarks.forecast", run_name="__main__")
"""


@pytest.fixture
def path(tmp_path):
    runs = {
        way: [comparison.result(way, seed) for seed in comparison.SEEDS]
        for way in ("single", "legacy", "parameter_server", "multi_worker_mirrored")
    }
    whole = report.build("mnist_cnn", "digits", runs, [], command=comparison.COMMAND)
    return report.write(whole, tmp_path / "report.json")


def forecast(*arguments):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)], capture_output=True, text=True
    )


def test_a_table_a_page_the_assumptions_and_advice(path):
    done = forecast(path, "--network=10Gbit", "--latency=0.2ms", "--workers=8", "--ps=2")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split()[0] for line in done.stdout.splitlines() if line[:7].strip().isdigit()]
    assert rows == [str(n) for n in range(1, 9)]
    assert "Each worker and each ps has a machine like that of the report." in done.stdout
    assert "- legacy: " in done.stdout
    assert done.stdout.splitlines()[-1] == str(path.with_name("forecast.html"))
    assert "<svg" in path.with_name("forecast.html").read_text()
    # The table fits a terminal.
    assert max(len(line) for line in done.stdout.splitlines()[:20]) <= 80


def test_flags_change_the_forecast(path, tmp_path):
    output = f"--output={tmp_path / 'other.html'}"
    flags = ["--model_bytes=1000000", "--shared_machine", "--gradient_compression=bfloat16"]
    done = forecast(path, "--network=1Gbit", "--workers=2", output, *flags)
    assert done.returncode == 0, done.stderr
    assert "All tasks share the cores of the machine of the report." in done.stdout
    assert "The weights have 1 MB." in done.stdout
    assert "Gradients travel in 50% of their bytes, but legacy sends float32." in done.stdout
    assert "The report is of weights of 11.08 MB." in done.stdout
    assert (tmp_path / "other.html").exists()
    assert not path.with_name("forecast.html").exists()


def test_flags_may_come_before_the_report(path):
    done = forecast("--network=1Gbit", path, "--workers=1")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--network=1Gbit"], "give one report: "),
        (["REPORT", "more", "--network=1Gbit"], "give one report: "),
        (["REPORT"], "--network is missing: give the rate of a link, such as 10Gbit."),
        (["REPORT", "--network=10parsec"], "--network=10parsec is not a number with a unit"),
        (["REPORT", "--network=1Gbit", "--latency=9"], "--latency=9 is not a number with a unit"),
        (["REPORT", "--network=1Gbit", "--workers=0"], "flag --workers=0"),
        (["REPORT", "--network=1Gbit", "--ps=0"], "flag --ps=0"),
        (["REPORT", "--network=1Gbit", "--model_bytes=0"], "flag --model_bytes=0"),
        (["FOREIGN", "--network=1Gbit"], "is no report of a comparison"),
        (["MISSING", "--network=1Gbit"], "cannot be read"),
        (["REPORT", "--network=1Gbit", "--output=REPORT/a.html"], "--output"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(path, tmp_path, arguments, message):
    (tmp_path / "foreign.json").write_text('{"name": "package"}')
    names = {
        "REPORT": str(path),
        "FOREIGN": str(tmp_path / "foreign.json"),
        "MISSING": str(tmp_path / "missing.json"),
    }
    for name, value in names.items():
        arguments = [argument.replace(name, value) for argument in arguments]
    done = forecast(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.startswith("forecast: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "forecast.html").exists()
