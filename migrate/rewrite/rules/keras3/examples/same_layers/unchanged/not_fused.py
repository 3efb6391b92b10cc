import tf_keras as keras
x = keras.layers.BatchNormalization(fused=False)
