"""Tests of the installation for the functions of an untouched program."""

import pytest

from legacy import installing, old_names


@pytest.fixture
def installed(monkeypatch):
    """Returns the APIs that are installed. The process itself stays as it is."""
    apis = []
    monkeypatch.setattr(old_names, "_is_decided", False)
    monkeypatch.setattr(installing, "install", lambda api: apis.append(api))
    return apis


def test_the_first_program_decides(installed, monkeypatch):
    monkeypatch.setattr(old_names, "api_of", {"one:f": "v1", "two:f": "v2"}.get)
    old_names.install_for("one:f")
    old_names.install_for("two:f")
    assert installed == ["v1"]


@pytest.mark.parametrize("failing", [(old_names, "api_of"), (installing, "install")])
def test_an_error_decides_nothing(installed, monkeypatch, failing):
    def fail(*args, **options):
        raise RecursionError("too deep")

    monkeypatch.setattr(old_names, "api_of", lambda reference: "v2")
    with monkeypatch.context() as patched:
        patched.setattr(*failing, fail)
        with pytest.raises(RecursionError):
            old_names.install_for("one:f")
    old_names.install_for("two:f")
    assert installed == ["v2"]
