"""The files of a model: checkpoints, weights and exports.

Files in reading order:
checkpoints    saves and restores a training and its backups under any strategy
keras3_objects  names the objects of a Keras 3 model in a checkpoint
mirrors        stands in a checkpoint for the variables of JAX and torch
remote_writes  writes checkpoints of variables on parameter servers
restoring      restores a model whose variables may not exist yet
errors         defines the error of unusable files
weights        reads and writes weights by name
rotation       removes old checkpoints
intact         finds the newest checkpoint whose files are whole
model_dirs     stores the folder of a model and its save interval
exports        writes exported models into folders with timestamps as names
signatures     exports a Keras model with tf.functions as its signatures
"""
