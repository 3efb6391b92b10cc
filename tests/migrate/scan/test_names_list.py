"""Tests that names.txt agrees with legacy, which reports its names from a separate process."""

from tests.oracle import era_names


def test_it_is_in_step_with_legacy():
    with open(era_names.NAMES) as file:
        lines = file.read().split()
    plain = {line.strip("-/"): line.startswith("-") for line in lines}
    lacking = era_names.of_ours("--missing=v1", plain)
    # Names that TensorFlow 1.15 lacks belong to the API of TensorFlow 2.
    lacking &= era_names.of_ours("--missing=v2", lacking & plain.keys())
    gone = {name for name, is_gone in plain.items() if is_gone}
    assert sorted(lacking & plain.keys() - gone) == []
    assert sorted(gone - lacking) == []
