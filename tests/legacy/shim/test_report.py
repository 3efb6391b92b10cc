"""Test of the report of names that are not provided."""

from legacy.reading.used_names import Use
from legacy.shim import report


def test_a_missing_name_is_reported_at_each_use():
    names = [
        "tf.reduce_sum",
        "tf.no_such",
        "numpy.no_such",
        "tf.?",
        "tf.Tensor.no_such",
        "tf.no_such",
    ]
    uses = [
        Use(name, "old.py", line, guarded=False, at_start=True) for line, name in enumerate(names)
    ]
    found = [
        (use.line, trouble.partition(" has no attribute ")[2])
        for use, trouble in report.missing(uses)
    ]
    assert found == [(1, "'no_such'"), (4, "'no_such'"), (5, "'no_such'")]
