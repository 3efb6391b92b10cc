"""The session loops of training and evaluation.

Files in reading order:
training           trains a model in a MonitoredTrainingSession
training_hooks     keeps the loss, saves, and synchronizes the chief with the workers
warm_start         initializes variables from another checkpoint
evaluation         runs the metrics of a model over the input
evaluation_events  writes evaluation results to event files
distribute         runs a model_fn on the replicas of a strategy
open_predictions   closes unfinished predictions before Python exits
"""
