import tensorflow as tf
import tf_keras as keras
data = tf.data.Dataset.range(3).map(lambda n: tf.cast(n, tf.float32))
