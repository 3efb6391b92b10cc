"""Mends for older versions of libraries that this toolkit supports.

Files in reading order:
whole_floats  lets tf_keras before 2.19 draw its seeds on Python 3.12
graph_texts   lets TensorFlow before 2.21 write its graphs with protobuf 7
"""
