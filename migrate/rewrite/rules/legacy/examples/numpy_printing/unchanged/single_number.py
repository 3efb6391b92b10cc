import tensorflow.compat.v1 as tf
def report(estimator, input_fn):
    results = estimator.evaluate(input_fn)
    print("loss:", results["loss"], tf.VERSION)
