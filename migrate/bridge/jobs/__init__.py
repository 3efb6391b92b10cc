"""Jobs of the training engine: a model_fn, or a user's own port.

Files in reading order:
input_functions  base class of both, which reads the data of the input functions
job              trains a model_fn: `python -m migrate train --model_fn=...`
port_job         trains a compiled Keras model: `python -m migrate train --keras_model=...`
loss_recorder    follows the losses that such a model computes in its own steps
"""
