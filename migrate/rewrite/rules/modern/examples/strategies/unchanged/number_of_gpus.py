from legacy import contrib
def f():
    return contrib.distribute.MirroredStrategy(num_gpus=2)
x = 1
