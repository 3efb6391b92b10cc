import tf_keras as keras
model = keras.Sequential([])
x = model.metrics_names
