"""tf.contrib.stateless: random numbers from an explicit seed. The functions moved to tf.random."""

import tensorflow as tf

from legacy.contrib import _missing

stateless_multinomial = tf.compat.v1.random.stateless_multinomial
stateless_random_normal = tf.random.stateless_normal
stateless_random_uniform = tf.random.stateless_uniform
stateless_truncated_normal = tf.random.stateless_truncated_normal

__getattr__ = _missing.attribute_of("stateless")

__all__ = [
    "stateless_multinomial",
    "stateless_random_normal",
    "stateless_random_uniform",
    "stateless_truncated_normal",
]
