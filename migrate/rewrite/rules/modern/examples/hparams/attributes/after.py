# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
import types
hparams = types.SimpleNamespace(rate=0.5, units=[4, 2])
x = hparams.rate, hparams.units, tf.float32.name
