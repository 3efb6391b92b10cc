import tensorflow.compat.v1 as tf
def report(estimator, input_fn):
    for prediction in estimator.predict(input_fn):
        tf.logging.info("%s" % prediction)
