"""Rules of --to=modern: from the old API to Keras, tf.data and tf.distribute.

Files in reading order:
unreachable_code       removes statements with Estimators that no path reaches
estimators             trains the model_fn of an Estimator through the bridge
model_fns              turns a model_fn into a Keras model
canned_estimators      trains a canned Estimator through the bridge
canned_models          turns a canned Estimator into a Keras model
added_metrics          names the Estimator that add_metrics extends
keras_estimators       trains the Keras model of model_to_estimator directly
keras_metrics          keeps the names of metrics that are given as strings
warm_starts            names the checkpoint of an Estimator that another call takes
checkpoints            finds the checkpoints of Keras models
train_and_evaluate     rewrites train_and_evaluate with its specs
factories              writes out calls of functions that make specs and configs
learn_estimators       turns an Estimator of contrib.learn into one of tf.estimator
experiments            turns an Experiment into train_and_evaluate
hooks                  turns hooks that stop a training into arguments
serving_receivers      turns a serving_input_receiver_fn into a tf.function
one_shot_iterators     returns the dataset from an input_fn
numpy_input_fn         turns numpy_input_fn and pandas_input_fn into datasets
contrib_data           replaces tf.contrib.data by tf.data
input_layers           turns input_layer into DenseFeatures
feature_layers         turns DenseFeatures into preprocessing layers
shared_columns         makes columns that share a table in a graph
layers                 replaces layers of tf.layers without variables
layers_with_variables  replaces layers of tf.layers with variables
losses                 replaces tf.losses by Keras losses
streaming_metrics      replaces metrics of tf.contrib.metrics by those of tf.metrics
optimizers             replaces optimizers of tf.train by those of Keras
initializers           replaces initializers by those of Keras
regularizers           replaces regularizers of contrib by those of Keras
partitioners           replaces partitioners by those of ParameterServerStrategy
strategies             replaces strategies of tf.contrib.distribute
renamed_functions      renames functions to their names in TensorFlow 2
keyword_arguments      renames keyword arguments
variable_tests         compares variables by identity
casts                  replaces tf.to_float and similar functions by tf.cast
dimensions             replaces the value of a Dimension
hparams                replaces HParams by a namespace
flags                  replaces tf.flags by absl.flags
app_run                replaces tf.app.run by absl.app.run
logging                replaces tf.logging by absl.logging
keras_choice           keeps legacy Keras selected
session_graphs         gives sessions graphs of their own next to Keras
v2_behavior            removes disable_v2_behavior
"""
