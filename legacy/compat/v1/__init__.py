"""What tf.compat.v1 had of the Estimator era."""
