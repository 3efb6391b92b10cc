import numpy as np
import tensorflow.compat.v1 as tf
def report(estimator, input_fn):
    results = estimator.evaluate(input_fn)
    print("results:", sorted(results.items()))
    return np.mean(results["loss"])
