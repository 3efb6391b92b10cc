class estimator:
    ModeKeys = 1
x = estimator.ModeKeys
