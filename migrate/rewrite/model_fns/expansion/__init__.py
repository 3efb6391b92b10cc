"""Expands a model_fn in a copy of its file, so that the analysis sees statements that it knows.

Files in reading order:
draft      the copy of the file, whose lines know where they come from
helpers    finds the functions of the file that a model_fn calls
inlining   replaces calls of helpers by their statements
returns    turns a function with several returns into branches
owners     gives the object of a method another name than `self`
records    replaces entries of dictionaries and tuples by names
collected_losses  adds the losses of a collection by their names
conditional_metrics  moves metrics out of conditions on settings
expanded   expands a model_fn as far as its analysis needs
"""
