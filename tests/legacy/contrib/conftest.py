"""Fixtures of the tests of tf.contrib."""

import pytest
import tensorflow as tf


@pytest.fixture
def session():
    """Returns a session of a new graph. Both are the default."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        yield session
