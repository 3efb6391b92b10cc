from legacy import keras_choice

keras_choice.use_legacy_keras()  # Before TensorFlow is imported.
import tensorflow as tf
x = [tf.keras.layers.Dense(2).units]
from legacy import contrib
x.append(contrib is not None)
