"""A notebook's displays that nobody looks at."""


def display(*things, **options):
    return None


def clear_output(wait=False):
    return None


SVG = Image = HTML = Markdown = display
