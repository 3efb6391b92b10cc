"""Scans of small programs."""

import textwrap

import pytest

from migrate.scan import scanner


@pytest.fixture
def write(tmp_path):
    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(textwrap.dedent(text))

    return write


def scan(*paths):
    return scanner.scan_paths([str(path) for path in paths], processes=1)


def found(folder):
    return [(f.line, f.symbol.name) for f in scan(folder).findings]
