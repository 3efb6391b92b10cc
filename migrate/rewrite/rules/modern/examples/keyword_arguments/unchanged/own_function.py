def f(keep_dims):
    return keep_dims
x = f(keep_dims=True)
