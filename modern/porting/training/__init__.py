"""Trains and evaluates ported models on the engine, alone or as one task of a cluster.

Files in reading order:
evaluated_training  trains and evaluates in turn
evaluations         evaluates checkpoints, and writes summaries and exports
exporters           exports models after evaluations
step_callbacks      saves, counts and stops at steps
stopping_callbacks  stops a training by its evaluations
program_log         logs to the log whose level the program has set
log_lines           logs the lines that an Estimator logged
locked_training     locks the folder of a model, and restores later checkpoints
cluster_strategy    joins the cluster that TF_CONFIG describes
worker_shutdown     ends the workers of a synchronous training together
local_copies        evaluates and predicts in one process, with a model under any strategy
"""
