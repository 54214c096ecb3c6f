a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = Value(10.0, label='c')
e = a*b; e.label='e'
d = e + c; d.label='d'
f = Value(-2.0, label='f')
L = d * f; L.label='L'
L

from graphviz import Digraph
def trace(root):
    # Walk backward from root and collect the graph that produced it.
    nodes, edges = set(), set()
    def build(v):
        # Visit each Value object only once, even if it is reused downstream.
        if v not in nodes:
            nodes.add(v)
            # _prev stores the direct inputs that were used to create v.
            for child in v._prev:
                edges.add((child, v))
                build(child)
    build(root)
    return nodes, edges
def draw_dot(root):
    # Draw the graph left-to-right, matching the forward flow of computation.
    dot = Digraph(format='svg', graph_attr={
        'rankdir': 'LR',
        'bgcolor': 'transparent',
        'fontname': 'sans-serif'
    })
    nodes, edges = trace(root)
    for n in nodes:
        # Use the Python object id as a unique Graphviz node name.
        uid = str(id(n))
        # Show the human label and the scalar value stored in this Value object.
        label = "{ %s | data %.4f}" % (n.label, n.data)
        if n._op:
            # Non-leaf Values were produced by an operation, so draw the Value node
            # and a separate operation node for readability.
            dot.node(name=uid, label=label, shape='Mrecord',
                fillcolor='#40C4FF', color='#00B0FF', style='filled', fontname='sans-serif')
            dot.node(name=uid + n._op, label=n._op, shape='circle',
                fillcolor='#FFEA00', color='#FFD600', style='filled', fontname='sans-serif')
            dot.edge(uid + n._op, uid, color='#0033FF', penwidth='2.0')
        else:
            # Leaf Values were created directly, so no operation node is needed.
            dot.node(name=uid, label=label, shape='Mrecord',
                fillcolor='#00E676', color='#00C853', style='filled', fontname='sans-serif')
    for n1, n2 in edges:
        # Draw each dependency as input Value -> operation -> result Value.
        dot.edge(str(id(n1)), str(id(n2)) + n2._op, color='#D500F9', penwidth='2.0')
    return dot
draw_dot(L)
