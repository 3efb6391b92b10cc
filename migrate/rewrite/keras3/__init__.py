"""Facts about Keras 3 that the rules of --to=modern --keras=3 share.

Files in reading order:
names             spells the names of Keras 3 in a file, and finds those of tf_keras
places            knows which names Keras 3 has, and where others have moved
layer_code        finds the code that Keras calls with tensors, and symbolic tensors
float_values      tells whether an expression is a tensor of floats
tensor_functions  lists functions of TensorFlow with their replacements in keras.ops
backend_functions lists functions of keras.backend with theirs
calls             writes the calls that replace others
model_calls       tells calls of a model from others with the same name
"""
