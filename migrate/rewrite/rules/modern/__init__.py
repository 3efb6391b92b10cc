"""From the old API to Keras, tf.data and tf.distribute."""
