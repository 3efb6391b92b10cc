import tf_keras as keras
x = keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5)
