"""Tests for the page of a scan."""

from migrate.scan import command
from tests.migrate.scan.small_job import job

__all__ = ["job"]  # a fixture


def test_the_page_stands_alone(job, tmp_path):
    assert command.main([".", "--format=html", "--output=report.html"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "tf.contrib.tensorrt.create_inference_graph" in page
    assert "this is Python 2" in page
    # The blocker of rung 0, and the work that is left to rung 3.
    assert "rung 0: <code" in page
    assert "rung 3: <code" in page
    for loaded in ("<script", "<link", "src=", "@import", "url("):
        assert loaded not in page
