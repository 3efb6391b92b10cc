"""From tf and tf.contrib to `legacy`: imports and names, nothing else."""
