import math
import numpy as np
import tensorflow.compat.v1 as tf
class Estimator:
    def predict(self, input_fn):
        yield {"price": np.array([2.5], np.float32), "class": np.array([3])}
def report(estimator, input_fn):
    lines = []
    for number, row in enumerate(estimator.predict(input_fn)):
        price = float(np.squeeze(row["price"]))
        lines.append("%d: %.1f of %s, class %d" % (number, np.squeeze(row["price"]), "x", np.squeeze(row["class"])))
        lines.append(math.exp(np.squeeze(row["price"])) + int(row["class"][0]) + price)
    return lines
x = report(Estimator(), None)
