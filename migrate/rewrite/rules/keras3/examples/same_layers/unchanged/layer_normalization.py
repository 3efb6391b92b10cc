import tf_keras as keras
x = keras.layers.LayerNormalization()
