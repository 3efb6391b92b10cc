import tf_keras
x = tf_keras.layers.Flatten() is not None
