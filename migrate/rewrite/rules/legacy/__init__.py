"""Rules of --to=legacy: they change imports and names of tf and tf.contrib, nothing else.

Files in reading order:
imports           imports tf.compat.v1, and removed modules from legacy
names             spells removed names by their place in legacy
keras             turns `import keras` into the Keras of TensorFlow
keras_choice      selects legacy Keras before TensorFlow is imported
not_provided      marks names that neither TensorFlow nor legacy has
versions          replaces TensorFlow's version in tests of it
flags             lets a program redefine flags of absl
loggers           replaces private names of the logger
tensor_types      tests for a tensor with isinstance
variable_methods  calls initialized_value for all variables
python_names      replaces names that NumPy and Python have dropped
array_numbers     converts arrays with one element to numbers
numpy_printing    prints results as NumPy 1 did
python_imports    imports dropped names of Python from their new modules
unittest_names    renames dropped methods of TestCase
"""
