import tf_keras
x = tf_keras.layers.DenseFeatures([]).name
