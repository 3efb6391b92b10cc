"""Reads parts that only an Estimator of contrib.learn accepts.

Files in reading order:
array_calls      writes the input_fn of a call that gets arrays, as `fit(x, y)`
unguarded_labels returns predictions before the first use of the labels
"""
