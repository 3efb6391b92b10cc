"""The training engine, a library that reads no flags.

Files in reading order:
trainer         trains a model: Trainer(config, adapter).train(data)
adapter         gives the engine the step, the loss and the files of a model
keras3_model    trains a Keras 3 model under every strategy
batchwise_model  trains a Keras 3 model on JAX or torch
strategies      makes the tf.distribute strategy that a flag names
unconverted     calls a function without AutoGraph, as tf.estimator did
seeds           gives each trainer its own random numbers
data            gives the data of a training to calls of `fit`
steps           keeps TensorFlow from mistakes in a step
server_layout   describes how many bytes are on each parameter server
server_memory   refuses variables that do not fit on the parameter servers
between_steps   saves and stops between two steps
saving          decides when a checkpoint is due and retries a failed save
stopping        detects NaN
early_stopping  decides by the evaluations when a training ends
interruption    catches signals
stalls          detects a training without steps, and names the tasks that do not answer
agreement       makes all workers take the same decision
"""
