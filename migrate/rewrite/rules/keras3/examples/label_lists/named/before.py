import tf_keras as keras
labels = [[1], [0]]
x = keras.metrics.sparse_categorical_crossentropy(y_true=labels, y_pred=[[0.2, 0.8], [0.9, 0.1]])
