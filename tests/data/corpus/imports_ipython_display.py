# kind: imports
from IPython.display import display, SVG, clear_output
from graphviz import Digraph

dot = Digraph(comment='tiny', graph_attr={'rankdir': 'LR'})
dot.node('a', 'data 2.0', shape='record')
dot.node('b', 'data 3.0')
dot.edge('a', 'b')
clear_output(wait=True)
display(dot)
print("drawn")
