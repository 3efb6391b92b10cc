"""The levels of a verification, each with `run(case, ...) -> results.Level`.

Files in reading order:
variables  compares names, shapes, types and trainability (level 1)
forward    compares the outputs of layers (level 2)
loss       compares the loss with regularization (level 3)
gradient   compares the gradient of each variable (level 4)
steps      compares weights and slots after training steps (level 5)
metrics    compares evaluation metrics over a data set (level 6)
scratch    tests whether trainings from scratch are equivalent (level 7)
backend    compares the port with another backend of Keras 3 (level 8)
"""
