"""A job's cluster, from an Estimator's TF_CONFIG or TFJob to what runs it under tf.distribute."""
