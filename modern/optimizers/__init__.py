"""Optimizers, schedules, gradient compression and loss scaling.

Files in reading order:
chosen          provides SGD, Adagrad and Ftrl for the Keras of the process
keras3          has these optimizers for Keras 3
summed_rows     has Adam and others for Keras 3, which sum the gradients of an id
combined        uses one optimizer for some layers and another for the rest
classic         computes as v1 optimizers do where the stock Keras ones differ
classic_keras3  computes as optimizers of Estimators do, for Keras 3
schedules       scales the learning rate with the global batch, warms it up and decays it
replica_sums    sums gradients over the replicas of a step
compression     sends gradients as 16-bit floats
loss_scaling    keeps float16 gradients from becoming zero, and skips a step that overflows
"""
