import numpy as np
import tensorflow.compat.v1 as tf
losses = []
def report(estimator, input_fn):
    for _ in range(2):
        results = estimator.evaluate(input_fn)
        losses.append(round(results["loss"], 2))
    print(losses)
    return str(losses)
class Estimator:
    def evaluate(self, input_fn):
        return {"loss": np.float32(0.5)}
x = report(Estimator(), None)
