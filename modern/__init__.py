"""The documented jobs as they are written today: Keras and tf.distribute.

    python -m modern.train --flagfile=modern/jobs/mnist_cnn.flags

Importing the package checks that TensorFlow and tf_keras belong together
(`modern.process.versions`).

Files in reading order:
train        trains a job: an absl app
launch       runs a program as a cluster of processes on this machine: an absl app
jobs         the documented trainings
data         data sets
cluster      TF_CONFIG, roles and local processes
tasks        the tasks of a cluster that trains a job
training     the training engine
porting      the public API for ported programs
model_files  checkpoints, weights and exports
optimizers   optimizers, schedules and gradient compression
records      samples, results and summaries
process      start, messages, exit codes and files
"""

from modern.process import versions

versions.check_installed()
