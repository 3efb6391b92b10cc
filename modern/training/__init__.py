"""The training engine, a library that reads no flags.

Files in reading order:
trainer         trains a model: Trainer(config, adapter).train(data)
adapter         gives the engine the step, the loss and the files of a model
strategies      makes the tf.distribute strategy that a flag names
seeds           gives each trainer its own random numbers
inputs          turns data into calls of `fit`
resumable       lets each call of `fit` read on where the one before it stopped
file_shards     explains the errors of data that are split by files
row_gathering   detects gradients whose rows synchronous workers gather
whole_steps     lets a step change nothing if there is no data for it
server_layout   describes how many bytes are on each parameter server
server_memory   refuses variables that do not fit on the parameter servers
table_reads     keeps TensorFlow from reading whole tables in a step
segments        divides a training into epochs
batch_limits    ends the data of all workers after the same number of batches
between_steps   saves and stops between two steps
saving          decides when a checkpoint is due and retries a failed save
stopping        detects NaN
early_stopping  decides by the evaluations when a training ends
interruption    catches signals
stalls          detects a training without steps, and names the tasks that do not answer
agreement       makes all workers take the same decision
"""
