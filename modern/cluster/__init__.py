"""Clusters: TF_CONFIG, and the tasks that it names.

Files in reading order:
tf_config      reads and checks TF_CONFIG
addresses      checks "host:port" addresses, and that this machine can serve on them
roles          defines the role of each task, for each way of training
gathering      waits until all tasks of a cluster have started
health         checks that the server of a task answers
native_server  starts the server of a task, without TensorFlow's Python package
plan           names the tasks of a local cluster of given sizes, with the TF_CONFIG of each
ports          finds free ports on this machine
"""
