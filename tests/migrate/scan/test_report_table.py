"""Tests for the table of a scan."""

from migrate.scan import command
from tests.migrate.scan import small_job
from tests.migrate.scan.small_job import job

__all__ = ["job"]  # a fixture


def test_the_table_has_the_plan_the_findings_and_the_counts(job, capsys):
    assert command.main(["."]) == 0
    said, notes = capsys.readouterr()
    assert "1. a job.py  reaches rung: none yet" in said
    assert "blocks rung 0 a job.py:8 tf.contrib.tensorrt.create_inference_graph" in said
    assert "not read bad.py:1: this is Python 2" in said
    assert "tf.estimator.EstimatorSpec" in said
    assert "4 uses in 1 of 2 files" in said
    assert notes == "Reading 2 files ...\n"


def test_of_many_files_what_there_is_to_do(tmp_path, capsys):
    for i in range(30):
        (tmp_path / f"job_{i}.py").write_text(small_job.JOB)
    assert command.main([str(tmp_path)]) == 0
    short = capsys.readouterr().out
    assert "job_29.py" in short  # in the plan
    assert "    30 jobs, rung 0: tf.contrib.tensorrt.create_inference_graph" in short
    assert short.count("tf.losses.log_loss") == 1
    assert command.main([str(tmp_path), "--details"]) == 0
    assert capsys.readouterr().out.count("tf.losses.log_loss") == 30


def test_the_table_can_be_kept(job, tmp_path):
    assert command.main([job, "--output=report.txt"]) == 0
    assert "4 uses in 1 of 1 file (" in (tmp_path / "report.txt").read_text()
