import tensorflow.compat.v1 as tf
import tf_keras
a = tf.reshape(tf.range(32.), [1, 4, 4, 2])
# the images
x = tf_keras.layers.Flatten()(tf_keras.layers.MaxPooling2D(
    pool_size=2, strides=2)(a))
y = tf_keras.layers.AveragePooling2D(pool_size=2, strides=1, padding='same')(a)
z = tf_keras.layers.Dropout(0.4)(a, training=False)
