"""The launcher: runs a program as a cluster of processes on this machine.

Files in reading order:
launch_flags  defines the flags of `modern.launch`
launching     runs such a cluster to its end, and prints how it ended
local         runs a program as a cluster of local processes
task          watches one process of such a cluster
supervisor    starts and ends the processes, and keeps the order in which they ended
recovery      records failures, and restarts tasks after them
restarts      decides which tasks are restarted after a failure
failures      finds the root cause of failures, and writes them as a table and as JSON
devices       divides the GPUs of this machine among the trainers
echo          writes the tasks' lines to a stream as they arrive
memory        samples the memory of the tasks
guard         ends the processes when their launcher dies
"""
