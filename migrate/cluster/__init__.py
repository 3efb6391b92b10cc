"""Converts a job's cluster from an Estimator's TF_CONFIG or TFJob to one for tf.distribute.

Files in reading order:
old_jobs    finds jobs in TF_CONFIG, manifests, scripts and folders
conversion  converts a job's cluster for a strategy of tf.distribute
batches     advises on batch size, learning rate and steps
traffic     multiplies the bytes of the weights that the new cluster sends
targets     writes the converted job for a scheduler
results     collects the results for one job, and converts them to JSON
report      prints the results in the terminal
command     runs `python -m migrate cluster`
marks       marks written files, so that they are recognized
yaml_files  reads and writes YAML as Kubernetes does
"""
