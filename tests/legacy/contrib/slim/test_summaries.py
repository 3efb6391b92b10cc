"""Tests of summaries of one or several tensors."""

import tensorflow as tf

from legacy.contrib.slim import summaries

tf1 = tf.compat.v1


def test_names_have_a_prefix(session, capfd):
    tensors = [tf.constant([0.0, 1.0, 0.0, 0.0], name="a"), tf.constant([1.0], name="b")]
    summaries.add_zero_fraction_summaries(tensors, prefix="mine")
    summaries.add_histogram_summary(tensors[0], "values")
    summaries.add_scalar_summary(tf.constant(7.0), "loss", print_summary=True)
    merged = tf1.Summary.FromString(session.run(tf1.summary.merge_all()))
    found = {value.tag: value.WhichOneof("value") for value in merged.value}
    assert found.pop("values") == "histo"
    assert {value.tag: value.simple_value for value in merged.value if value.tag in found} == {
        "mine/a/Fraction_of_Zero_Values": 0.75,
        "mine/b/Fraction_of_Zero_Values": 0.0,
        "loss": 7.0,
    }
    assert "loss[7]" in capfd.readouterr().err
