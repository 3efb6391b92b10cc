"""Tests of `migrate.cluster.batches`, which advises on batch size, learning rate and steps."""

import pytest

from migrate.cluster import batches
from modern.process import cli

OLD = {"batch_size": 128, "learning_rate": 0.1, "train_steps": 8000}


def numbers(choice):
    return (
        choice.batch_size,
        choice.global_batch_size,
        choice.update_size,
        choice.learning_rate,
        choice.train_steps,
    )


@pytest.mark.parametrize(
    ("asynchronous", "way", "expected"),
    [
        (True, "parameter_server", [(128, 512, 128, 0.1, 8000)]),
        (
            True,
            "multi_worker_mirrored",
            [(32, 128, 128, 0.1, 8000), (128, 512, 512, 0.4, 2000)],
        ),
        (False, "multi_worker_mirrored", [(128, 512, 512, 0.1, 8000)]),
        (
            False,
            "parameter_server",
            [(128, 512, 128, 0.025, 32000), (512, 2048, 512, 0.1, 8000)],
        ),
    ],
)
def test_four_trainers(asynchronous, way, expected):
    choices = batches.advise(4, asynchronous, way, **OLD)
    assert [numbers(choice) for choice in choices] == expected


@pytest.mark.parametrize("asynchronous", [True, False])
@pytest.mark.parametrize("way", ["parameter_server", "multi_worker_mirrored"])
def test_as_many_examples_are_seen_and_the_rate_per_example_is_kept(asynchronous, way):
    """The rate over the examples per update is the step of plain SGD per example."""
    before = 128 * (1 if asynchronous else 4)
    for choice in batches.advise(4, asynchronous, way, **OLD):
        assert choice.update_size * choice.train_steps == before * 8000
        assert choice.learning_rate / choice.update_size == pytest.approx(0.1 / before)


def test_a_remainder_is_said():
    (first, _) = batches.advise(3, True, "multi_worker_mirrored", batch_size=100)
    assert (first.batch_size, first.update_size) == (33, 99)
    assert "100 is not a multiple of 3: an update uses 99 examples." in first.text
    (first, _) = batches.advise(3, True, "multi_worker_mirrored", batch_size=99)
    assert (first.batch_size, "multiple" in first.text) == (33, False)


def test_a_batch_that_cannot_be_split():
    with pytest.raises(cli.UsageError, match="--batch-size=3 cannot be split over 4 trainers"):
        batches.advise(4, True, "multi_worker_mirrored", batch_size=3)


def test_without_numbers_there_are_words():
    lines = batches.lines(batches.advise(4, True, "multi_worker_mirrored"))
    assert lines[1].startswith("B. Keep the work of each task as it was: The same batch")


def test_numbers_are_printed():
    (line,) = batches.lines(batches.advise(2, True, "parameter_server", **OLD))
    assert line.startswith(
        "[per worker 128, global 256, examples per update 128, learning rate 0.1, steps 8,000]"
    )
