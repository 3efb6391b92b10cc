import tensorflow as tf
half = tf.contrib.layers.l2_regularizer(0.5)
x = tf.estimator.ModeKeys.TRAIN, tf.float32.name
