from legacy.estimator.keras import keras_model
import tensorflow as tf
import tf_keras
job = keras_model.model_to_estimator_v2(keras_model_path='saved')
x = job
