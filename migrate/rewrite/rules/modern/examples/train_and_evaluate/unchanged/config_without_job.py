from legacy import estimator as tf_estimator
x = tf_estimator.RunConfig('model').model_dir
