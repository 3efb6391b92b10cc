"""Replacements for private modules of TensorFlow that real programs import, one file each.

Files in reading order:
estimator_functions   provides the helper functions of the private module `estimator`
argument_checks       checks tensors, hooks and clusters for copied Estimator code
canned_functions      provides the helper functions of the private canned modules and heads
dnn_model             provides the Keras model of the first deep estimators
copied_code           provides the decorators and constants that copied Estimator code imports
keras_lib             provides model_to_estimator for both APIs
wrapped_graph         wraps a model_fn as a function: `export.function`
saved_model_paths     returns the paths of a SavedModel's files
gc                    selects the exported models to keep or delete
checkpoint_converter  converts checkpoints of v1 canned estimators for the v2 classes
head_checks           provides the checks of `head_utils` for test suites
op_definitions        lists TensorFlow's operations
fake_summary_writer   keeps summaries in memory for test suites
mnist_tutorial        builds the network of TensorFlow 1's MNIST tutorial
"""
