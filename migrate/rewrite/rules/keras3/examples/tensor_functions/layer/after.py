import tensorflow as tf
import tf_keras as keras
class Mean(keras.layers.Layer):
    def call(self, inputs):
        net = keras.ops.relu(keras.ops.cast(inputs, "float32"))
        return keras.ops.mean(keras.ops.concatenate([net, net], axis=1), axis=1)
x = Mean()(tf.constant([[1, 2], [3, -4]])).numpy()
