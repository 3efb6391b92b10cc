"""The step of a training, and the mistakes that TensorFlow would make in it.

Files in reading order:
fast_steps        makes steps faster
step_wrapper      replaces the step of a Keras model
whole_steps       lets a step change nothing if there is no data for it
table_reads       keeps TensorFlow from reading whole tables in a step
table_handles     sends the handle of a lookup table once in a request
packed_transfers  sends the small tensors of a step together
row_gathering     detects gradients whose rows synchronous workers gather
"""
