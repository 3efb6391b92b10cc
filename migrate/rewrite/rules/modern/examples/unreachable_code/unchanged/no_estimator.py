def run(x):
    return x
    print(x)
