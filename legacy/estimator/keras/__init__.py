"""tf.keras.estimator: Estimators from compiled tf-keras models.

Files in reading order:
keras_model  creates the Estimator: model_to_estimator
model_fn     builds the model_fn, which clones the model in each graph
"""
