"""Tables of Estimator-era names: where they are provided today, or why they are left out.

Files in reading order:
tables           returns the places that provide the names of an old module today
contrib_aliases  maps private paths of tf.contrib to modules of `legacy.contrib`
keras_modules    returns the places of the private modules of Keras
private_forms    lists the places of private names that were public ones, too
constants        lists the constants of the original's private modules
left_out         gives the reason why a name is left out, and its replacement
v1_only          lists methods and arguments that only TensorFlow 1 had
graph_only       lists names that work only in a graph, and names that provide one
numpy_1          lists names, arguments and habits of NumPy 1
"""
