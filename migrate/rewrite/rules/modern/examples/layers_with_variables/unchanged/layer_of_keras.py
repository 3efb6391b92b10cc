import tf_keras
x = tf_keras.layers.Dense(3).units
