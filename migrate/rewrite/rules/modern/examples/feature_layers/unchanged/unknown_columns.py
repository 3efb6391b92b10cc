import tensorflow as tf
import tf_keras
def build(columns):
    return tf_keras.layers.DenseFeatures(columns)
x = 1
