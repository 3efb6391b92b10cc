"""Rules of --to=modern --keras=3: from tf_keras to Keras 3.

If one of their changes is needed and cannot be made, the program stays on tf_keras as a whole.

Files in reading order:
keras_version      imports Keras 3 instead of tf_keras, and lets modern use it
missing_names      reports names that Keras 3 lacks
moved_names        renames what Keras 3 has in another place
default_arguments  writes out arguments whose defaults differ
loss_reductions    replaces reductions by strings
label_lists        replaces lists of labels by tensors
same_layers        replaces layers that compute something else
keras_optimizers   replaces optimizers
layer_names        removes slashes from the names of layers
added_weights      names the arguments of add_weight
model_methods      replaces methods of models, metrics and optimizers
whole_evaluations  lets evaluations count the batches that there are
training_steps     changes own training steps
backend_functions  replaces functions of keras.backend
tensor_functions   replaces functions of TensorFlow by keras.ops
"""
