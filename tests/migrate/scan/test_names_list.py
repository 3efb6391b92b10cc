"""names.txt says what legacy provides; legacy itself is asked, in a process of its own."""

from tests.oracle import era_names


def test_it_is_in_step_with_legacy():
    with open(era_names.NAMES) as file:
        lines = file.read().split()
    plain = {line.strip("-/"): line.startswith("-") for line in lines}
    lacking = era_names.of_ours("--missing=v1", plain)
    # What TensorFlow 1.15 had not is TensorFlow 2's.
    lacking &= era_names.of_ours("--missing=v2", lacking & plain.keys())
    gone = {name for name, is_gone in plain.items() if is_gone}
    assert sorted(lacking & plain.keys() - gone) == []
    assert sorted(gone - lacking) == []
