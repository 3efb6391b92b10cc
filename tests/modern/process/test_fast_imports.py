"""Tests of imports without garbage collections."""

import gc

import pytest

from modern.process import fast_imports


@pytest.fixture
def collecting():
    yield
    gc.unfreeze()
    gc.enable()


def test_nothing_is_collected_in_the_block_and_what_it_made_is_left_alone(collecting):
    gc.unfreeze()
    with fast_imports.held():
        assert not gc.isenabled()
        made = [[i] for i in range(10_000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= len(made)


def test_an_import_that_fails_leaves_the_collector_on(collecting):
    with pytest.raises(ImportError), fast_imports.held():
        raise ImportError
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off(collecting):
    gc.disable()
    gc.unfreeze()
    with fast_imports.held():
        pass
    assert not gc.isenabled()
    assert gc.get_freeze_count() == 0
