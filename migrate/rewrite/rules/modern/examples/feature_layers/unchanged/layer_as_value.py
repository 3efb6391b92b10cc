import tensorflow as tf
import tf_keras
x = callable(tf_keras.layers.DenseFeatures)
