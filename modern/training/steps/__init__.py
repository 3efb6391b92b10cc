"""The step of a training, and the mistakes that TensorFlow would make in it.

Files in reading order:
whole_steps    lets a step change nothing if there is no data for it
table_reads    keeps TensorFlow from reading whole tables in a step
table_handles  sends the handle of a lookup table once in a request
row_gathering  detects gradients whose rows synchronous workers gather
"""
