from legacy import estimator as tf_estimator

job = None

def run(input_fn, model_fn):
    print(job)
    return input_fn()
    job = tf_estimator.Estimator(model_fn)
