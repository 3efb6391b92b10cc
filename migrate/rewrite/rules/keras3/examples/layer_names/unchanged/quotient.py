import tf_keras as keras
x = keras.layers.Dense(1, name="dense_%d" % (4 / 2))
