from legacy import contrib
def f():
    return contrib.distribute.CollectiveAllReduceStrategy()
x = 1
