import tf_keras as keras
x = keras.losses.MeanSquaredError(reduction="sum")
