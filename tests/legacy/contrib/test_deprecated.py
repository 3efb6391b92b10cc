"""Test of summaries by tag. The oracle compares all kinds."""

import tensorflow as tf

from legacy.contrib import deprecated

tf1 = tf.compat.v1


def test_a_tag_is_written_as_it_is(session):
    assert deprecated.merge_all_summaries() is None
    with tf.name_scope("scope"):
        deprecated.scalar_summary(["a b", "c"], [1.0, 2.0])
        own = deprecated.scalar_summary("loss", 3.0, collections=["mine"])
    assert tf1.get_collection("mine") == [own]
    for merged, expected in (
        (deprecated.merge_all_summaries(), {"a b": 1.0, "c": 2.0}),
        (deprecated.merge_summary([own]), {"loss": 3.0}),
    ):
        summary = tf1.Summary.FromString(session.run(merged))
        assert {value.tag: value.simple_value for value in summary.value} == expected
