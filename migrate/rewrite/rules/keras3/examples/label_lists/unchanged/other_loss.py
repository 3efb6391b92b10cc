import tf_keras as keras
x = keras.losses.mean_squared_error([1.0, 0.0], [0.5, 0.5])
