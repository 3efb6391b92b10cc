import os
os.environ["NO_COLOR"] = "1"
import tensorflow.compat.v1 as tf
import numpy as np
np.set_printoptions(legacy="1.25")  # Results print as {'loss': 0.5}.
class Estimator:
    def evaluate(self, input_fn):
        return {"loss": np.float32(0.5)}
def report(estimator, input_fn):
    results = estimator.evaluate(input_fn)
    return "%s" % results
x = report(Estimator(), None)
