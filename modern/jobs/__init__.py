"""The documented trainings, one module each. Read each next to its twin in `legacy/jobs`.

Files in reading order:

linear_regression  one Dense(1), for trying a cluster
mnist_cnn          a convolutional network for 28x28 digits
resnet56_cifar10   ResNet-56 for 32x32 colour images
wide_deep          a linear model over crossed columns next to a deep one over embeddings
"""
