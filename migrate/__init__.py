"""Migrates jobs from `legacy` to `modern`, one rung of the ladder after the other.

Files in reading order:
scan          lists the Estimator-era symbols of programs and the work to port them
recipes       shows each old pattern next to its modern counterpart
rewrite       rewrites programs to legacy imports, or to Keras
port          runs, rewrites and compares a program, rung by rung
cluster       translates TF_CONFIG and cluster manifests
train         trains a model_fn or a Keras model: python -m migrate train
bridge        trains an unmodified model_fn with Keras
checkpoint    converts checkpoints between Estimator and Keras
verify        checks that a port is the same model
same_run      records two runs and compares their results
equivalence   tests whether two ways of training reach the same result
sources       lists the files of a program
notebooks     extracts the Python of Jupyter notebooks
batches       draws batches of an input_fn once for several models
loading       imports the objects that the command line names
keras_models  builds the Keras model that a command names
old_names     shows an old program the TensorFlow that it was written for
v1_behavior   runs functions of an old program with the shapes and layers of TensorFlow 1
patches       replaces attributes of TensorFlow in single threads
forking       decides whether this process may be forked, and creates pools
failures      formats unexpected errors
html_pages    renders HTML reports from templates
command_line  creates the argument parser of a command
"""
