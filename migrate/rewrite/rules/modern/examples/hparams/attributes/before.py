# migrate rewrite --unsafe
from legacy import contrib
import tensorflow.compat.v1 as tf
hparams = contrib.training.HParams(rate=0.5, units=[4, 2])
x = hparams.rate, hparams.units, tf.float32.name
