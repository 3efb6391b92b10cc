"""The tasks of a cluster that trains a job. Flags become a setting, and each task runs its role.

Files in reading order:
start          starts a task, and imports what its role needs
task           runs a task that trains or evaluates
job            describes a job to the training engine
setting        holds the flags of a training app
flags          defines the flags that all training apps share
train_flags    defines the flags of `modern.train` alone
own_job_flags  defines the flags that name a user's own model
precision      computes in 16 bits, with weights in float32
counted_model  wraps a Keras model so that it counts the examples it consumes
counted_batches  counts them for a model on JAX or torch
prepared_features  prepares the features of such a model in the input pipeline
repeats        runs several trainings in one process
evaluation     evaluates checkpoints in the evaluator task, and exports weights
lone_task      ends a task that has waited for the others in vain
server         serves the coordinator of a parameter server training
"""
