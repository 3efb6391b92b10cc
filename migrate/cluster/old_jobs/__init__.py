"""Jobs of the Estimator era, as TF_CONFIG and manifests describe them.

Files in reading order:
jobs          describes a job and its tasks, and lists their problems
workload      describes the pods that run in the tasks
sources       finds jobs in values, files and folders
tfjob         reads a Kubeflow TFJob
tfjob_shapes  checks the types of a TFJob's fields
"""
