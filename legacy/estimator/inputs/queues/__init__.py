"""Queues that Python threads fill, for `numpy_input_fn` and `pandas_input_fn`.

Files in reading order:
feeding_functions     fills a queue with the rows of arrays, data frames and generators
feeding_queue_runner  runs the threads that fill a queue
"""
