"""Common porting mistakes, planted in new programs: (recipe, correct code, mistake).

The page of the recipe warns of each mistake.
"""

KERAS_RMSPROP = "tf_keras.optimizers.RMSprop(0.1, rho"
MISTAKES = {
    "mean for sum": ("canned_estimators", ', reduction="sum"', ""),
    "twice the penalty": ("custom_model_fn", "L2(PENALTY / 2)", "L2(PENALTY)"),
    "a limit for each variable": ("custom_model_fn", "global_clipnorm", "clipnorm"),
    "another epsilon": ("metrics_and_optimizers", "Adam(0.1, epsilon=1e-8)", "Adam(0.1)"),
    "mean squares from zero": ("metrics_and_optimizers", "RMSprop(0.1, rho", KERAS_RMSPROP),
    "running mean": ("logging_and_stop_hooks", "self.model.reset_metrics()", "pass"),
    "batch of one replica": ("mirrored_strategy", "BATCH_SIZE * replicas", "BATCH_SIZE"),
    "averages of another momentum": ("layers_and_losses", "momentum=0.999", "momentum=0.99"),
    "a gamma that was not there": ("layers_and_losses", "scale=False, ", ""),
    "variance of a plain norm": (
        "layers_and_losses",
        "(dense[:, tf.newaxis, tf.newaxis], training=True)[:, 0, 0]",
        "(dense, training=True)",
    ),
    "what came after the last save": ("sessions_and_graphs", " or step == last_step", ""),
    "all examples": (
        "layers_and_losses",
        "(classes, scores, weights) / share",
        "(classes, scores, weights)",
    ),
    "patience in steps": ("early_stopping", "PATIENCE // EVERY", "PATIENCE"),
    "columns in another order": ("feature_columns", "[:, 1:]", "[:, :-1]"),
    "slots left behind": ("optimizer_slots", "    to.optimizer.set_weights", "    list"),
    "one batch of two": (
        "synchronous_parameter_servers",
        "BATCH_SIZE * TO_AGGREGATE",
        "BATCH_SIZE",
    ),
}


def altered(mistake, source):
    """Returns the new program with a planted mistake."""
    _, right, wrong = MISTAKES[mistake]
    assert source.count(right) >= 1, f"{right} is not in the program any more"
    return source.replace(right, wrong)
