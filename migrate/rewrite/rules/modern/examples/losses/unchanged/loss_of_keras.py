import tf_keras
x = tf_keras.losses.MeanSquaredError()([1.0], [3.0])
