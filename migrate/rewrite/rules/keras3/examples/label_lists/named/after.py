import tf_keras as keras
labels = [[1], [0]]
x = keras.metrics.sparse_categorical_crossentropy(y_true=keras.ops.convert_to_tensor(labels), y_pred=keras.ops.convert_to_tensor([[0.2, 0.8], [0.9, 0.1]]))
