import tensorflow as tf
import tf_keras as keras
x = keras.layers.experimental.preprocessing.Rescaling(0.5)(tf.ones([2])).numpy()
y = keras.losses.mse([1.0, 2.0], [3.0, 5.0]).numpy()
