"""Decides about code that one file of a program defines and another file uses.

For example, `model.py` defines the model_fn that `task.py` trains. Either both files change, or
none. Each file of this folder records such decisions in the plans of the files.

Files in reading order:
experiments       decides about functions that return Experiments to other files
learn_estimators  shows the other decisions Estimators of contrib.learn as those of tf.estimator
factories         decides about functions that make specs and configs for other files
helpers           decides about functions that model_fns of other files call
silent_functions  decides about functions that only write summaries for other files
sessions          decides about programs that run sessions in other files
inputs            decides about functions that return tensors to Estimators of other files
methods           finds methods and attributes that give Estimators to other files
estimators        decides about functions that return Estimators to other files
model_fns         decides about model_fns that Estimators of other files use
constants         decides about constants that are model_fns of other files
builders          decides about functions that return model_fns to Estimators of other files
"""
