from legacy import contrib
x = callable(contrib.layers.sum_regularizer)
