"""Tests that the scan finds all uses in the corpus of old programs, and nothing else."""

import pytest

from migrate.scan import symbols
from tests.migrate.scan import corpus

ENOUGH = 3  # number of repositories that use a name


@pytest.fixture(scope="module")
def scan():
    return corpus.scan()


def test_every_file_is_read(scan):
    assert scan.unread == []
    assert not any(file.generated for file in scan.files.values())


@pytest.mark.parametrize("path", corpus.expected())
def test_what_was_counted_by_hand_is_found_and_nothing_else(scan, path):
    assert sorted(corpus.found(scan).get(path, [])) == sorted(corpus.expected()[path])


def test_every_program_was_counted(scan):
    assert set(corpus.found(scan)) <= set(corpus.expected())
    assert len(corpus.expected()) == len(scan.files)


def test_the_corpus_has_every_name_that_several_repositories_use(scan):
    has = {symbols.plain(finding.symbol.name) for finding in scan.findings}
    needed = {name for name, count in corpus.usage().items() if count["repos"] >= ENOUGH}
    assert len(needed) > 300
    assert sorted(needed - has) == []


def test_every_counted_name_is_of_the_era():
    assert [name for name in corpus.usage() if symbols.look_up(name) is None] == []


def test_the_shares_in_the_documentation_are_those_of_today():
    said = "docs/scan.md is out of step: python -m tests.migrate.scan.corpus writes it anew"
    assert corpus.table_of_the_page() == corpus.table(), said
