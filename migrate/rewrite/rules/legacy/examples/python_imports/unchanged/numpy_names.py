from numpy import float32, mean
x = mean([float32(1)])
