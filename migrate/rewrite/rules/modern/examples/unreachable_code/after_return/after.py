from legacy import estimator as tf_estimator

def run(job=None):
    scores = {"loss": 0.5}
    return scores

x = run(), tf_estimator.ModeKeys.TRAIN
