from legacy import estimator as tf_estimator
import tensorflow as tf
def job(columns, f):
    found = tf_estimator.LinearRegressor(columns).model_fn
    return found
x = callable(job)
