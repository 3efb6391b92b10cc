"""Conversion of a checkpoint into one of another kind or for another program.

Files in reading order:
converter      converts a checkpoint: convert(source, output, model=...)
models         builds the model of a program, and saves it as a template
tagged_names   finds the names of a Keras 3 model's variables in its files
targets        finds the kind of a target, and names the variables of an Estimator
plans          plans the source of each tensor, and lists all problems
values         reads the values of a plan in groups, and compares bytes
writers        writes the new checkpoint, and reads it back
partial_files  holds the output until it is complete, and moves it into place
"""
