"""Logit functions are called with what they ask for."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.compat.v1 import estimator as estimator_v1


@pytest.fixture
def call():
    assert estimator.experimental.call_logit_fn is estimator_v1.experimental.call_logit_fn
    return lambda fn: estimator.experimental.call_logit_fn(fn, "f", "train", {"a": 1}, "c")


def test_arguments(call):
    seen = []

    def logit_fn(features, params, mode):
        seen.append((features, params, mode))
        return tf.zeros([1])

    call(logit_fn)
    assert seen == [("f", {"a": 1}, "train")]
    assert call(lambda features: {"head": tf.ones([2])})["head"].shape == [2]


@pytest.mark.parametrize("wrong", [1.0, {"head": 1.0}, {1: tf.constant(1.0)}, None])
def test_refused(call, wrong):
    with pytest.raises(ValueError, match="logit_fn should return a Tensor or a dictionary"):
        call(lambda features: wrong)
