"""Coordination of the tasks of a cluster, on TensorFlow's servers.

Files in reading order:
roles              finds this process's task, role and server in TF_CONFIG
servers            starts the TensorFlow server of this task
signals            stops trainers at a whole step, and servers last
stalls             reports and ends a trainer that makes no step
waits              names the tasks that a task waits for, and ends the wait
message_board      stores messages between tasks in tables on the ps
training_messages  reads and writes the state of a training on the message board
coordination       starts and ends a parameter-server training on the trainers
parameter_server   serves the variables of a training until it is over
standalone_client  trains from one process on servers that run elsewhere
"""
