"""Keeps each message of the command on a single line."""

import pytest


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
