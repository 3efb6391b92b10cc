from legacy import estimator as tf_estimator
def job(m, f, specs):
    tf_estimator.train_and_evaluate(tf_estimator.Estimator(m), *specs)
x = 1
