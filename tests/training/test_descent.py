"""Adam on packed arrays: the same tree comes back, and the same steps are taken."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from coterie.training.descent import OPTIMISER, SMALL, Learning, Packing, descend


def draw_tree():
    rng = np.random.default_rng(0)
    shapes = {"large": (3, SMALL), "matrix": (4, 5), "number": (), "vector": (7,)}
    return {name: jnp.float32(rng.normal(size=shape)) for name, shape in shapes.items()}


def test_small_arrays_are_packed_into_one_and_come_back():
    tree = draw_tree()
    packing = Packing(tree)
    large, small = packing.pack(tree)
    assert large is tree["large"]
    assert small.shape == (4 * 5 + 1 + 7,)
    jax.tree.map(np.testing.assert_array_equal, packing.unpack((large, small)), tree)


def test_a_tree_without_small_arrays_stays_as_it_is():
    tree = [jnp.ones(SMALL + 1)]
    packing = Packing(tree)
    assert packing.pack(tree) == tuple(tree)
    assert packing.unpack(packing.pack(tree)) == tree


def test_steps_are_those_of_optax_on_each_array():
    tree = draw_tree()
    wanted = jax.tree.map(lambda leaf: leaf + 1, tree)

    def loss(moved, index):
        gaps = jax.tree.map(lambda a, b: jnp.sum((a - b) ** 2), moved, wanted)
        return sum(jax.tree.leaves(gaps)), ()

    rate = 0.1
    learning, _ = descend(loss, Learning(tree, OPTIMISER.init(tree)), 3, lambda index: rate)
    optimiser = optax.adam(rate)
    state, expected = optimiser.init(tree), tree
    for _ in range(3):
        updates, state = optimiser.update(jax.grad(lambda t: loss(t, 0)[0])(expected), state)
        expected = optax.apply_updates(expected, updates)
    for found, value in zip(
        jax.tree.leaves((learning.parameters, learning.moments)),
        jax.tree.leaves((expected, state[0])),
        strict=True,
    ):
        np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-6)
