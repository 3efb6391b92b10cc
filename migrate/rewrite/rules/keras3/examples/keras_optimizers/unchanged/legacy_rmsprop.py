import tf_keras as keras
x = keras.optimizers.legacy.RMSprop(0.1)
