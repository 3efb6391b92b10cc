"""The documented trainings as they were written for tf.estimator; twins of `modern/jobs`."""
