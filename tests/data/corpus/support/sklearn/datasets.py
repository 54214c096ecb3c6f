import numbers
import numpy as np
def _rng(s):
    if s is None: return np.random.mtrand._rand
    if isinstance(s, numbers.Integral): return np.random.RandomState(s)
    return s
def _shuffle(X, y, rng):
    i = np.arange(len(X)); rng.shuffle(i); return X[i], y[i]
def make_moons(n_samples=100, *, shuffle=True, noise=None, random_state=None):
    no = n_samples // 2; ni = n_samples - no
    g = _rng(random_state)
    ox = np.cos(np.linspace(0, np.pi, no)); oy = np.sin(np.linspace(0, np.pi, no))
    ix = 1 - np.cos(np.linspace(0, np.pi, ni)); iy = 1 - np.sin(np.linspace(0, np.pi, ni)) - 0.5
    X = np.vstack([np.append(ox, ix), np.append(oy, iy)]).T
    y = np.hstack([np.zeros(no, dtype=np.intp), np.ones(ni, dtype=np.intp)])
    if shuffle: X, y = _shuffle(X, y, g)
    if noise is not None: X += g.normal(scale=noise, size=X.shape)
    return X, y
def make_blobs(n_samples=100, n_features=2, *, centers=None, cluster_std=1.0, center_box=(-10.0, 10.0), shuffle=True, random_state=None):
    g = _rng(random_state)
    if centers is None: centers = 3
    if isinstance(centers, numbers.Integral): centers = g.uniform(*center_box, size=(centers, n_features))
    centers = np.asarray(centers); k = len(centers)
    ns = [n_samples // k + (i < n_samples % k) for i in range(k)]
    X = np.concatenate([g.normal(loc=c, scale=cluster_std, size=(n, n_features)) for c, n in zip(centers, ns)])
    y = np.repeat(np.arange(k), ns)
    if shuffle: X, y = _shuffle(X, y, g)
    return X, y
