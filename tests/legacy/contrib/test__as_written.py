"""Test of methods that AutoGraph leaves alone."""

import inspect

import tensorflow as tf

from legacy.contrib._as_written import as_written


def test_a_method_keeps_its_signature_and_its_python():
    seen = []

    def call(self, inputs, state=None):
        seen.append(bool(inputs.shape == [2]))  # AutoGraph would make tensors of conditions.
        return inputs

    decorated = as_written(call)
    assert inspect.signature(decorated) == inspect.signature(call)
    assert tf.function(lambda x: decorated(None, x))(tf.ones([2])).numpy().tolist() == [1.0, 1.0]
    assert seen == [True]
