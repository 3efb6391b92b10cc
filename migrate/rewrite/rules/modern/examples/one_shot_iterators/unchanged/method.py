class Data:
    def batch(self, data):
        return data.make_one_shot_iterator().get_next()
x = callable(Data)
