import tensorflow as tf
import tf_keras as keras
class Scale(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=[int(shape[-1])], initializer="ones")
    def call(self, x):
        return x * self.scale
layer = Scale()
x = layer(tf.constant([[1.0, 2.0]])).numpy()
y = len(layer.trainable_weights)
