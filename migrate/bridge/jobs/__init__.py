"""Jobs of the training engine: a model_fn, or a user's own port.

Files in reading order:
job       trains a model_fn: `python -m migrate train --model_fn=...`
port_job  trains a compiled Keras model: `python -m migrate train --keras_model=...`
"""
