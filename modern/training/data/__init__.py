"""The data of a training, and the calls of `fit` that read them.

Files in reading order:
inputs        turns data into calls of `fit`
resumable     lets each call of `fit` read on where the one before it stopped
segments      divides a training into epochs
batch_limits  ends the data of all workers after the same number of batches
file_shards   explains the errors of data that are split by files
"""
