"""Estimators of 2018 that go on as models of Keras 3, with each backend.

An old program of `tests.migrate.programs` trains five steps. `migrate checkpoint convert --keras=3`
converts its checkpoint, and a port loads it. Then both train ten steps on the same batches.

Files in reading order:
settings     lists the kinds
resnet       ports the ResNet, with momentum and a stepped rate
bert         ports the encoder, with an optimizer of its own
wide_deep    ports the wide and deep model, with Ftrl and Adagrad
lstm         ports the LSTM, with Adam
estimators   program that trains the old one
keras3       program that trains a port with the backend of KERAS_BACKEND
measured     program that prints the deviations of all kinds and backends
"""
