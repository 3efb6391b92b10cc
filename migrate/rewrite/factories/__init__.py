"""Writes out the calls of functions that make specs, configs, exporters and Estimators.

For example, `get_train_spec(input_fn, 100)` becomes `TrainSpec(input_fn, max_steps=100)`, so that
the rules for Estimators see the arguments.

Files in reading order:
factory      finds the function that a call runs, in the same or another file
selection    reads the statements that a call runs, as far as its constant arguments decide them
expansion    writes the text that replaces a call
drafts       writes out all calls of a file
"""
