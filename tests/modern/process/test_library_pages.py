"""Tests of the release of libraries' pages, in processes of their own."""

import os
import sys

import pytest

from modern.process import library_pages
from tests.modern import programs

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux' /proc")


@pytest.fixture(scope="module")
def facts():
    return programs.printed_by("tests.modern.process.released_pages")


@linux_only
def test_the_pages_of_the_import_are_gone(facts):
    planted = programs.printed_by("tests.modern.process.released_pages", "planted")
    assert facts["imported_mb"] < 100 < 200 < planted["imported_mb"]
    assert facts["peak_mb"] < planted["peak_mb"] - 150


@linux_only
def test_what_was_called_before_the_release_is_called_again(facts):
    assert facts["sum"] == 9 * 3.0


@linux_only
def test_a_second_import_releases_nothing(facts):
    assert facts["releases_of_a_second_import"] == 0


@linux_only
def test_no_page_is_released_that_was_written_to(facts):
    assert facts["written_elsewhere_kb"] > 1000  # The loader writes addresses.
    assert facts["written_kb"] == 0


def test_systems_without_maps_release_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(library_pages, "_MAPS", str(tmp_path / "none"))
    monkeypatch.setattr(library_pages.ctypes, "CDLL", lambda *_: pytest.fail("loaded"))
    library_pages.load_tensorflow()
    library_pages.release()


def test_the_library_of_the_package_is_found_without_the_package():
    path = library_pages.path(library_pages.tensorflow_folders())
    assert path is None or os.path.getsize(path) > 1 << 20
    assert library_pages.path([]) is None
