import tf_keras as keras
x = keras.optimizers.Adam(0.1)
