from legacy import contrib as tf_contrib
from legacy.compat.v1 import estimator as tf_estimator
import tensorflow as tf
x = tf_estimator.ModeKeys.EVAL
layers = tf_contrib.layers
y = layers.flatten(tf.zeros([2, 3, 4])).shape.as_list()
