import tensorflow as tf
import tf_keras as keras
layer = keras.layers.Dense(2, kernel_initializer="ones", kernel_regularizer=keras.regularizers.l1_l2(0.1, l2=0.01))
layer(tf.ones([1, 3]))
x = [loss.numpy() for loss in layer.losses]
y = keras.layers.LeakyReLU(negative_slope=0.1)(tf.constant([-1.0, 2.0])).numpy()
