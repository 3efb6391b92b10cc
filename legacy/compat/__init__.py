"""What tf.compat had of the Estimator era."""
