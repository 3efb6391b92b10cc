import math as tensorflow
x = tensorflow.pi
