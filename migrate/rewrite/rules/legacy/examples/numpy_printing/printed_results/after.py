import numpy as np
import tensorflow.compat.v1 as tf
np.set_printoptions(legacy="1.25")  # Results print as {'loss': 0.5}.
def report(estimator, input_fn):
    results = estimator.evaluate(input_fn)
    print("results:", sorted(results.items()))
    return np.mean(results["loss"])
