"""Replaces Estimators, and all method calls on them, by Keras models.

Files in reading order:
estimator_jobs        rewrites each Estimator as a whole, or leaves it with a reason
method_calls          rewrites train, evaluate, predict and exports for the model
added_metrics         checks the function of `add_metrics`
warm_starts           reads `warm_start_from`
checkpoint_files      finds code that needs the names of an Estimator's checkpoint files
variable_names        finds reads of variables that a Keras model does not have
experiment_calls      writes the calls of an Estimator that an Experiment made
learn_calls           writes the calls that replace an Estimator of contrib.learn
contrib_learn         reads its calls with arrays, and model_fns without a mode
tpu_params            writes the params that a TPUEstimator passed to its input_fns
iterator_hooks        finds the hooks that initialize the iterators of input_fns
hook_callbacks        turns hooks into Keras callbacks
shared_hooks          removes a hook that only logs from all calls that take it
equivalence_problems  lists reasons why results may differ after the rewrite
cluster_configs       rewrites RunConfigs and strategies, so that processes join clusters
new_functions         inserts a new function, and removes statements that became unused
"""
