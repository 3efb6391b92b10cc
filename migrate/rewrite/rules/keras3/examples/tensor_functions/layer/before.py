import tensorflow as tf
import tf_keras as keras
class Mean(keras.layers.Layer):
    def call(self, inputs):
        net = tf.nn.relu(tf.cast(inputs, tf.float32))
        return tf.reduce_mean(tf.concat([net, net], axis=1), axis=1)
x = Mean()(tf.constant([[1, 2], [3, -4]])).numpy()
