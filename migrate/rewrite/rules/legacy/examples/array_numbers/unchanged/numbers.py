import tensorflow.compat.v1 as tf
def report(estimator, input_fn):
    lines = []
    for number, row in enumerate(estimator.predict(input_fn)):
        lines.append("%d: %s" % (number, row["class"]))
        lines.append("%%: %d" % int(row["class"][0]))
    return lines
x = callable(report)
