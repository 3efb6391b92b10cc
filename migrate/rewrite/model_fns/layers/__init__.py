"""Finds the layers of a forward pass, and keeps the names of their variables.

Files in reading order:
objects         turns calls of layers into objects that __init__ makes
contrib_layers  maps tf.contrib.layers and slim to Keras layers
recurrent       maps RNN cells to layers of modern.porting
parts           turns functions with layers into layer classes
naming          chooses names of attributes
variable_names  writes names of layers, so that variables keep their names
"""
