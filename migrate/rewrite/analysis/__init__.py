"""Reads facts about values, Estimators, datasets and feature columns from a file.

Files in reading order:
mutations          finds code that changes a list or dictionary in place
dataflow           follows names to their values, and writes expressions for other places
estimator_classes  lists the classes of Estimators and their positional parameters
other_functions    finds functions that other files of the program define
instances          finds the class of this file that an object is an instance of
estimator_tests    finds code that only tests or prints an Estimator
successive_values  finds the value of a variable that holds several ones after each other
estimator_flow     follows an Estimator through names, attributes and functions
estimator_uses     lists the method calls on an Estimator
experiment_flow    follows an Experiment to the calls that run it
elements           finds the expression of one element of a tuple, list or dictionary
input_functions    finds the dataset that an input_fn returns
train_specs        reads the TrainSpec and the EvalSpec of train_and_evaluate
feature_columns    reads the feature columns of a file
serving_receivers  turns a serving_input_receiver_fn into a tf.function
run_config_classes reads subclasses of RunConfig whose properties are constants
bridged_configs    reads a RunConfig, and names the helper modules in a file
v2_switches        removes the calls that disable behavior of TensorFlow 2
layer_calls        rewrites calls of tf.layers, for two of the modern rules
result_names       finds the names that hold results of an Estimator
optimizer_calls    maps tf.train optimizers to Keras, for rules and model_fns
"""
