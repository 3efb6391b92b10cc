import tf_keras as keras
model = keras.Sequential([])
model.save("folder")
