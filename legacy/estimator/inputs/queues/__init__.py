"""Queues that Python threads fill: what stands behind `numpy_input_fn` and `pandas_input_fn`."""
