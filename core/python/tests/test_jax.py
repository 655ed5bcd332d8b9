"""Arrays of JAX on the CPU: read in place, results of JAX."""

import numpy as np
import pytest

import satblur

jax = pytest.importorskip("jax", reason="SKIPPED LOUDLY: no JAX, so its arrays are not tested")


def test_dof(scene):
    image, depth = (jax.numpy.asarray(each) for each in scene)
    result = satblur.dof(image, depth)
    assert isinstance(result, jax.Array) and np.array_equal(result, satblur.dof(*scene))
    assert np.array_equal(satblur.dof(image, depth / 7.0 + 1), satblur.dof(scene[0], np.asarray(depth / 7.0 + 1)))
    first = image.transpose(2, 0, 1)
    assert np.array_equal(satblur.dof(first, depth, layout="CHW"), result.transpose(2, 0, 1))
    with pytest.raises(ValueError, match="JAX"):
        satblur.dof(image, depth, out=image)
    words = jax.numpy.arange(4, dtype="uint32")[::-1].reshape(2, 2)
    for write in (lambda: satblur.sort(words[0]), lambda: satblur.scan(words[0], out=words[0]), lambda: satblur.table(image[:2, :2, 0], out=words)):
        with pytest.raises(ValueError, match="JAX"):
            write()
    image.delete()
    with pytest.raises(ValueError, match="deleted"):
        satblur.dof(image, depth)
