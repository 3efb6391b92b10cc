"""The training engine, a library that reads no flags.

Files in reading order:

trainer        trains a model: Trainer(config, adapter).train(data)
adapter        gives the engine the step, the loss and the files of a model
inputs         turns data into calls of `fit`
segments       divides a training into epochs
between_steps  saves and stops between two steps
saving         decides when a checkpoint is due, and tries a failed save again
stopping       detects NaN
early_stopping decides by evaluations that a training ends
interruption   catches signals
rotation       removes old checkpoints
agreement      tells all workers about the wishes of each
job            describes a job to the engine
setting        holds the flags of a training app
repeats        gives each of several trainings its turn
task           runs one task of a cluster
"""
