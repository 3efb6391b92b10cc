import tensorflow.compat.v1 as tf
print(tf.__version__)
x = 1
