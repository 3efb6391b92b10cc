from legacy import estimator as tf_estimator
import tensorflow as tf
def job(columns, f):
    estimator = tf_estimator.LinearRegressor(columns, optimizer=make_optimizer())
    estimator.train(f)
x = callable(job)
