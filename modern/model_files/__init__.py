"""The files of a model: checkpoints, weights and exports.

Files in reading order:

checkpoints  saves and restores a training under any strategy, and its backups
restoring    restores a model whose variables may not exist yet
weights      reads and writes weights by name
rotation     removes old checkpoints
model_dirs   names the folder of a model, and tells how often it is saved there
exports      writes exported models into folders that are named by the time
signatures   exports a Keras model with tf.functions as its signatures
"""
