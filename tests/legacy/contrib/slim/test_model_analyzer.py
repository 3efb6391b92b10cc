"""Test of the sizes of operations and variables."""

import tensorflow as tf

from legacy.contrib.slim import model_analyzer

tf1 = tf.compat.v1


def test_elements_and_bytes(capsys):
    with tf.Graph().as_default() as graph:
        tf.zeros([2, 3], name="x")
        tf1.placeholder(tf.float32, [None], name="unknown")
        assert model_analyzer.analyze_ops(graph, print_info=True) == 6
        variables = [tf1.get_variable("a", [5], tf.float64), tf1.get_variable("b", [])]
    assert model_analyzer.analyze_vars(variables, print_info=True) == (6, 5 * 8 + 4)
    lines = capsys.readouterr().out.splitlines()
    assert "x \t-> (float32 2x3) [6]" in lines
    assert "unknown \t-> (float32 ?) [0]" in lines
    assert "a:0 (float64 5) [5, bytes: 40]" in lines
    assert lines[-2:] == ["Total size of variables: 6", "Total bytes of variables: 44"]
