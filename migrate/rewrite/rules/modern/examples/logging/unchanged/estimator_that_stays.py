import tensorflow.compat.v1 as tf
from legacy import estimator as tf_estimator
tf.logging.set_verbosity(tf.logging.INFO)
def run(model_fn):
    return tf_estimator.Estimator(model_fn)
x = callable(run)
