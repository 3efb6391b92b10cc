import tf_keras
x = tf_keras.initializers.Zeros() is not None
