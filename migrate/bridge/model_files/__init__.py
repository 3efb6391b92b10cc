"""Files of a bridged model.

Files in reading order:
estimator_checkpoint  reads and writes Estimator checkpoints, with slots and step
keras_files           saves and loads the model as a Keras file
exports               writes a SavedModel with the spec's `export_outputs` as signatures
"""
