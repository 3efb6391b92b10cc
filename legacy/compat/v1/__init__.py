"""The Estimator-era parts of tf.compat.v1.

Files in reading order:
estimator  provides the tf.compat.v1.estimator API
"""
