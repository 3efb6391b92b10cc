"""tf.contrib.util: conversion of tensors to and from protocol buffers."""

import tensorflow as tf

from legacy.contrib import _missing

constant_value = tf.get_static_value
make_ndarray = tf.make_ndarray
make_tensor_proto = tf.compat.v1.make_tensor_proto

__getattr__ = _missing.attribute_of("util")
