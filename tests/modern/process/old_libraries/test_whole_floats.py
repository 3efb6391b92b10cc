"""Tests of the seeds of older tf_keras, which are whole floats."""

import random

import pytest

from modern.process.old_libraries import whole_floats


@pytest.fixture
def accepting(monkeypatch):
    """Lets `randint` take whole floats until the test ends."""
    monkeypatch.setattr(random.Random, "randint", random.Random.randint)
    monkeypatch.setattr(random, "randint", random.randint)
    whole_floats.accept()


@pytest.mark.usefixtures("accepting")
@pytest.mark.parametrize("draw", [random.Random(3), random], ids=["generator", "module"])
def test_whole_floats_draw_the_same_numbers(draw):
    draw.seed(3)
    drawn = draw.randint(1, 1e9)  # An error on Python 3.12, and a warning before.
    draw.seed(3)
    assert drawn == draw.randint(1, 10**9)


@pytest.mark.usefixtures("accepting")
def test_other_floats_are_refused():
    with pytest.raises((TypeError, DeprecationWarning)):
        random.Random(3).randint(1, 2.5)


@pytest.mark.parametrize(
    ("python", "tf_keras", "needed"),
    [
        ((3, 12), (2, 18), True),
        ((3, 12), (2, 19), False),
        ((3, 11), (2, 16), False),
        ((3, 13), (2, 20), False),
    ],
)
def test_only_older_tf_keras_needs_it(python, tf_keras, needed):
    assert whole_floats.needs_floats(python, tf_keras) == needed
