"""The documented jobs as they are written today: Keras and tf.distribute.

    python -m modern.train --flagfile=modern/jobs/mnist_cnn.flags

Importing the package checks that TensorFlow and tf_keras belong together
(`modern.process.versions`), and mends older ones (`modern.process.old_libraries`).

Files in reading order:
train        trains a documented job (an absl app)
launch       runs a program as a cluster of processes on this machine (an absl app)
jobs         defines the documented jobs
data         loads the data sets
cluster      reads TF_CONFIG and assigns roles
launcher     runs a program as a cluster of local processes
tasks        runs each task of a cluster that trains a job
training     trains any model: the training engine
porting      provides the public API for ported programs
model_files  reads and writes checkpoints, weights and exports
layers       provides layers that serve both versions of Keras
optimizers   adds optimizers, learning rate schedules and gradient compression
records      writes samples, results and summaries
process      starts a process, reports its errors and writes files atomically
"""

from modern.process import versions
from modern.process.old_libraries import graph_texts, whole_floats

versions.check_installed()
whole_floats.accept_for_seeds()
graph_texts.accept_float_format()
