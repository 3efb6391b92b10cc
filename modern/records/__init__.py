"""Records of a training: samples, results and summaries.

Files in reading order:
progress      takes samples of a running training and prints its progress
digests       identifies the examples that a trainer has consumed
task_records  writes a record of each task while it runs
lock_file     replaces a small file only if its content is the expected one
lock_owner    identifies the process that holds a lock
run_lock      lets only one run at a time train in a model folder
results       writes MODEL_DIR/result.json
events        reads event files, which may be damaged
summaries     writes and reads scalars for TensorBoard
"""
