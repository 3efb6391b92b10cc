import tensorflow as tf
x = getattr(tf, "estimator").ModeKeys.EVAL
layers = tf.contrib.layers
y = layers.flatten(tf.zeros([2, 3, 4])).shape.as_list()
