"""The documented jobs as they were written for tf.estimator: counterparts of `modern/jobs`.

Files in reading order:
linear_regression  trains one dense layer: the smallest job
mnist_cnn          trains a small convolutional network for digits
resnet56_cifar10   trains ResNet-56, with batch normalization and weight decay
sparse_embeddings  trains embeddings of many hashed columns
wide_deep          trains a canned estimator with feature columns
"""
