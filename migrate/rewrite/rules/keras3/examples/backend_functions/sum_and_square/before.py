import tensorflow as tf
from tf_keras import backend as K
from tf_keras.layers import Lambda
x = K.sum(K.square(tf.constant([[1.0, 2.0]])), axis=-1).numpy()
y = Lambda(lambda a: K.expand_dims(a))(tf.ones([2])).numpy()
