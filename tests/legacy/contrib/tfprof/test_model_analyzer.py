"""Test of the numbers of parameters in a graph."""

import tensorflow as tf

from legacy.contrib.tfprof import model_analyzer

tf1 = tf.compat.v1


def test_parameters_of_trainable_variables_are_counted():
    with tf.Graph().as_default() as graph:
        with tf1.variable_scope("layer"):
            tf1.get_variable("w", [3, 4], use_resource=False)
            tf1.get_variable("b", [4], use_resource=False, trainable=False)
        options = {**model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS, "output": "none"}
        found = model_analyzer.print_model_analysis(graph, tfprof_options=options)
    assert found.total_parameters == 12
    assert [child.name for child in found.children] == ["layer"]
