import tensorflow.compat.v1 as tf
def report(estimator, input_fn):
    losses = []
    for _ in range(2):
        losses.append(float(estimator.evaluate(input_fn)["loss"]))
    print(sum(losses), tf.VERSION)
