from legacy import estimator as tf_estimator
import tensorflow as tf
def job(columns, f):
    estimator = tf_estimator.LinearRegressor(columns, 'model', 1, 'weights')
    estimator.train(f)
x = callable(job)
