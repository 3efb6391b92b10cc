import numpy as np
import tensorflow.compat.v1 as tf
np.set_printoptions(precision=3)
def report(estimator, input_fn):
    print(estimator.evaluate(input_fn), tf.VERSION)
