from legacy.contrib import slim
x = callable(slim.conv2d)
