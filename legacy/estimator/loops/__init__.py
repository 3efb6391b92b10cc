"""The session loops of training and evaluation.

Files in reading order:
training           trains a model in a MonitoredTrainingSession
table_reads        keeps TensorFlow from reading whole tables in each step
grouped_saver      saves large variables one after the other
training_hooks     keeps the loss, saves, and synchronizes the chief with the workers
warm_start         initializes variables from another checkpoint
evaluation         runs the metrics of a model over the input
evaluation_events  writes evaluation results to event files
distribute         runs a model_fn on the replicas of a strategy
open_predictions   closes unfinished predictions before Python exits
foreign_datasets   copies a dataset that was built in another graph
input_pipeline     splits the result of an input_fn into features and labels
"""
