"""A library: it is copied into a site-packages, and sees the real TensorFlow."""

import tensorflow as tf

VERSION = tf.__version__


def sees(name):
    return hasattr(tf, name)


def keras_layer():
    from tensorflow.python.keras.engine import base_layer

    return base_layer.Layer
