"""The Estimator-era parts of tf.compat.

Files in reading order:
v1  provides the Estimator-era parts of tf.compat.v1
"""
