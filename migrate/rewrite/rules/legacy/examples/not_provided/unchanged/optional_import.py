try:
    from tensorflow.contrib import tensorrt
except ImportError:
    tensorrt = None
x = tensorrt
