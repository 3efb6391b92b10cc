"""Replaces calls of the program's own functions in a model_fn by their statements.

Files in reading order:
helpers           finds the functions of the file that a model_fn calls
instances         follows objects of the program's own classes
hidden_layers     finds calls in a scope whose functions may make layers
short_functions   writes calls of partials and lambdas of layers as calls of the layers
own_names         renames an inner function whose name its result takes over
other_names       finds what the names of another function are in the file of its call
imported_helpers  copies functions of other files that a model_fn calls
returns           splits the body of a function at its returns, into branches
registering       finds the functions that a decorator registers in a dictionary
registries        writes calls of functions in a dictionary as branches
inlining          replaces calls of helpers by their statements
"""
