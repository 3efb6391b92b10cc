from legacy import estimator as tf_estimator
def job(m, f, train):
    estimator = tf_estimator.Estimator(m)
    tf_estimator.train_and_evaluate(estimator, train, tf_estimator.EvalSpec(f))
x = 1
