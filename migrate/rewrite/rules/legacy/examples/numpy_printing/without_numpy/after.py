import tensorflow.compat.v1 as tf
import numpy as np
np.set_printoptions(legacy="1.25")  # Results print as {'loss': 0.5}.
def report(estimator, input_fn):
    for prediction in estimator.predict(input_fn):
        tf.logging.info("%s" % prediction)
