import tf_keras as keras
layer = keras.layers.DenseFeatures([])
