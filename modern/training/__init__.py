"""The training engine, a library that reads no flags.

Files in reading order:

trainer        trains a model: Trainer(config, adapter).train(data)
adapter        what the engine needs to know of a model
inputs         the data, as the calls of `fit` that read them
segments       how many epochs of how many steps these are
between_steps  what happens between two steps: saving and stopping
saving         when a checkpoint is due, and what happens if a save fails
stopping       NaN and early stopping
interruption   signals
rotation       the checkpoints that a folder keeps
agreement      decisions that all workers make together
"""
