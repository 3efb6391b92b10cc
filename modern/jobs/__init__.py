"""The documented jobs, one module each. Read each next to its counterpart in `legacy/jobs`.

Files in reading order:
linear_regression  trains one Dense(1), to try out a cluster
mnist_cnn          trains a convolutional network on 28x28 digits
resnet56_cifar10   trains ResNet-56 on 32x32 colour images
sparse_embeddings  trains embeddings of many hashed columns
wide_deep          trains a linear model over crosses and a deep model over embeddings together
"""
