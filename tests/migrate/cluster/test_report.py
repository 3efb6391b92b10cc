"""Tests for the results of a job in words."""

from modern.cluster import tf_config
from tests.migrate.cluster import commands, manifests


def test_in_words(capsys):
    out = commands.run(capsys, manifests.tf_config(), "--batch-size=120", "--learning-rate=0.1").out
    for said in (
        "job: 1 chief, 2 worker, 1 ps; 3 train, asynchronously (the argument)",
        "coordinates only: schedules steps on the workers, saves",
        "new: runs a server",
        "trains as the first synchronous worker",
        "not started",
        "One more task, worker-2 at a:2223. The Estimator's chief trained, and the coordinator",
        "A. Keep each update as it was: [per worker 40, global 120, examples per update 120, ",
        "B. Keep the work of each task as it was: [per worker 120, global 360, ",
        "python -m benchmarks.forecast report/report.json --network=10Gbit --workers=3 --ps=1",
        'worker-2  {"cluster": {"chief": ["a:2222"], ',
    ):
        assert said in out


def test_a_forecast_of_synchronous_workers_has_no_ps(capsys):
    out = commands.run(capsys, manifests.tf_config(), "--to=multi_worker_mirrored").out
    (line,) = (line for line in out.splitlines() if "benchmarks.forecast" in line)
    assert line.endswith("--workers=3")


def test_a_tf_config_is_never_broken_into_lines(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = commands.run(capsys, manifests.tf_config(), "--to=multi_worker_mirrored").out
    lines = [line.split(maxsplit=1) for line in out.splitlines() if '{"cluster"' in line]
    assert [name for name, _ in lines] == ["chief-0", "worker-0", "worker-1"]
    assert [tf_config.parse(text).name for _, text in lines] == [name for name, _ in lines]
