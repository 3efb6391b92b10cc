"""Keras layers that the documented jobs share, for either Keras.

Files in reading order:
embedding      reads the rows of a table that a batch needs, each of them once
crossing       crosses two or more columns
normalization  normalizes batches, with the results of tf_keras in Keras 3, too
"""
