"""The process of a training app: start, messages, exit codes, files.

Files in reading order:
cli            parses the flags of an app and prints one line for each mistake
choices        holds the values that flags accept
app_flags      lists the flags of an app in groups, and accepts both spellings
chosen_keras   imports tf_keras or Keras 3, whichever the process uses
quiet_import   imports TensorFlow without log messages
runtime        sets up TensorFlow before its first operation
malloc         sets up glibc's malloc
library_pages  releases memory of TensorFlow's libraries that only their loading needs
versions       checks that TensorFlow and tf_keras have the same minor version
old_libraries  mends older versions of libraries
log_filters    hides log messages that a user cannot act on
extras         checks that the packages of an extra are installed
at_start       calls functions in the interpreters that a process starts
fast_imports   imports TensorFlow without garbage collections
deferred_pandas  imports pandas when Keras uses it, not before
process_info   measures the peak memory and the start time of this process
frame_memory   keeps memory for the stack frames of deep calls
references     imports an object that a flag names as MODULE:NAME
files          reads and writes local and remote files, whole or not at all
folders        checks that a folder can be written
foreign_files  reads files of others, only to a limit
"""
