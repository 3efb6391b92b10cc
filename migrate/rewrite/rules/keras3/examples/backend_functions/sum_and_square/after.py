import tensorflow as tf
import keras
from tf_keras.layers import Lambda
x = keras.ops.sum(keras.ops.square(tf.constant([[1.0, 2.0]])), axis=-1).numpy()
y = Lambda(lambda a: keras.ops.expand_dims(a, -1))(tf.ones([2])).numpy()
