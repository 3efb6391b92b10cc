"""Finds the new places of old names, and spells them in new code.

Files in reading order:
symbol_index       lists the names in modules of `legacy` and tf-keras, without importing them
keras_places       finds the place of a name of TensorFlow's private Keras in tf-keras
symbol_places      finds the place of an old TensorFlow name in today's packages
legacy_names       spells old names for --to=legacy
modern_names       spells names for --to=modern, and shares checks among its rules
streaming_metrics  lists the metrics of tf.contrib.metrics that tf.metrics has as well
"""
