"""The Estimator of contrib.learn, its configuration, metrics and exports.

Files in reading order:
interfaces          defines the abstract classes of an Estimator, for isinstance checks
run_config          holds the settings of a run and the task's place in the cluster
model_fn_ops        holds the operations that a model function returns
metric_spec         connects a metric function to labels, predictions and weights
base_estimator      trains, evaluates and predicts by the operations of a subclass
estimator           calls a model function for these operations, and exports
fitting             checks input, adds savers and yields predictions
evaluation_metrics  calls metric functions and separates updates from values
saved_models        writes SavedModels and their signatures
sk_compat           offers fit, score and predict on arrays, as scikit-learn does
"""
