from legacy import estimator as tf_estimator
import tensorflow as tf
def job(columns):
    return tf_estimator.DNNRegressor([3], columns)
x = callable(job)
