from legacy import contrib as tf_contrib
from legacy.compat.v1 import estimator as tf_estimator
import tensorflow as tf
half = tf_contrib.layers.l2_regularizer(0.5)
x = tf_estimator.ModeKeys.TRAIN, tf.float32.name
