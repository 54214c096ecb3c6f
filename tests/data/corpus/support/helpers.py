"""What a program imports beside its autograd and never calls."""


def plot_loss(losses):
    raise NotImplementedError


def save_model(model, path):
    raise NotImplementedError


def load_data(path):
    raise NotImplementedError
