"""PyTorch tensors, on the CPU and on the GPU: read and written in place, on the current stream."""

import numpy as np
import pytest

import satblur

torch = pytest.importorskip("torch", reason="SKIPPED LOUDLY: no PyTorch, so no tensors are tested")
DEVICES = ["cpu"] + ["cuda"] * torch.cuda.is_available()


def test_there_is_a_gpu():
    if "cuda" not in DEVICES:
        pytest.skip("SKIPPED LOUDLY: no GPU, so tensors are tested on the CPU alone")


@pytest.mark.parametrize("device", DEVICES)
def test_dof(scene, device):
    image, depth = scene
    wanted = satblur.dof(image, depth, device="cpu")
    a, b = torch.from_numpy(image).to(device), torch.from_numpy(depth).to(device)
    result = satblur.dof(a, b)
    assert isinstance(result, torch.Tensor) and result.device == a.device
    assert np.array_equal(result.cpu().numpy(), wanted)
    out = torch.empty_like(a)
    assert satblur.dof(a, b, out=out) is out and np.array_equal(out.cpu().numpy(), wanted)
    assert np.array_equal(satblur.dof(a, depth).cpu().numpy(), wanted)
    assert satblur.dof(a, b, out=a) is a and np.array_equal(a.cpu().numpy(), wanted)


@pytest.mark.parametrize("device", DEVICES)
def test_floats(scene, rng, device):
    image, depth = rng.random((2, 60, 80, 3), dtype=np.float32), scene[1] / np.float32(7) + 1
    depth[:3] = np.nan
    image[0, 0, 0] = [np.nan, -3, 9]
    wanted = satblur.dof(image, depth, device="cpu")
    a, b = torch.from_numpy(image).to(device), torch.from_numpy(depth).to(device)
    assert np.array_equal(satblur.dof(a, b).cpu().numpy(), wanted)
    first = a.permute(0, 3, 1, 2).contiguous()
    assert np.array_equal(satblur.dof(first, b, layout="CHW").permute(0, 2, 3, 1).cpu().numpy(), wanted)
    out = torch.empty_like(first)
    assert satblur.dof(first, b, layout="CHW", out=out) is out
    assert np.array_equal(out.permute(0, 2, 3, 1).cpu().numpy(), wanted)
    a.requires_grad_()
    assert np.array_equal(satblur.dof(a, b).cpu().numpy(), wanted)


@pytest.mark.parametrize("device", DEVICES)
def test_others(scene, device):
    image = torch.from_numpy(scene[0]).to(device)
    depth = torch.from_numpy(scene[1]).to(device)
    for ours in (lambda i, d: satblur.box(i, 2.5), lambda i, d: satblur.equalize(i),
                 lambda i, d: satblur.blur_map(i, d, 6), lambda i, d: satblur.table(i),
                 lambda i, d: satblur.coc(i, d, max_radius=4), lambda i, d: satblur.dof(i, matte=d, max_radius=4)):  # fmt: skip
        result, wanted = ours(image, depth), ours(*scene)
        assert np.array_equal(result.cpu().numpy() if isinstance(result, torch.Tensor) else result, wanted)
    assert satblur.measure(image)[0].sum == satblur.measure(scene[0])[0].sum


@pytest.mark.parametrize("device", DEVICES)
def test_what_models_give(scene, device):
    """Views, bfloat16, and maps of networks: (1, H, W) and (1, 1, H, W) of floats."""
    image, depth = scene[0].astype(np.float32) / 255, scene[1].astype(np.float32)
    wanted = satblur.dof(image, depth, device="cpu")
    a, b = torch.from_numpy(image).to(device), torch.from_numpy(depth).to(device)
    for map in (b, b[None], b[None, None], b[None, ..., None].expand(1, 60, 80, 3), b.T.contiguous().T):
        assert np.array_equal(satblur.dof(a, map).cpu().numpy(), wanted), map.shape
    assert np.array_equal(satblur.dof(a.double(), b).float().cpu().numpy(), wanted)
    assert np.array_equal(satblur.dof(a.flip(-1), b).cpu().numpy(), satblur.dof(image[..., ::-1], depth, device="cpu"))
    turned = satblur.dof(a.permute(1, 0, 2), b.T)
    assert np.array_equal(turned.cpu().numpy(), satblur.dof(image.swapaxes(0, 1), depth.T, device="cpu"))
    out = torch.empty(80, 60, 3, device=device).permute(1, 0, 2)
    assert satblur.dof(a, b, out=out) is out and np.array_equal(out.cpu().numpy(), wanted)
    brain = a.bfloat16()
    result = satblur.dof(brain, b.bfloat16())
    other = satblur.dof(brain.float().cpu().numpy(), b.bfloat16().float().cpu().numpy(), device="cpu")
    assert result.dtype == torch.bfloat16 and torch.equal(result.cpu(), torch.from_numpy(other).bfloat16())
    mask = b > 100
    assert torch.equal(satblur.dof(a, matte=mask[None]), satblur.dof(a, matte=mask.long() * 65535))


@pytest.mark.parametrize("device", DEVICES)
def test_light(scene, device):
    """Floats are light if transfer says so, on each device."""
    image, depth = scene[0].astype(np.float32) / 60, scene[1]
    wanted = satblur.dof(image, depth, transfer="linear", device="cpu")
    a, b = torch.from_numpy(image).to(device), torch.from_numpy(depth).to(device)
    assert np.array_equal(satblur.dof(a, b, transfer="linear").cpu().numpy(), wanted)
    half = satblur.dof(a.half(), b, transfer="linear")
    assert np.array_equal(half.cpu().numpy(), satblur.dof(image.astype(np.float16), depth, transfer="linear", device="cpu"))
    brain = satblur.dof(a.bfloat16(), b, transfer="linear")
    assert brain.dtype == torch.bfloat16
    dark = (a / 5).half()
    assert np.array_equal(satblur.dof(dark, b).cpu().numpy(), satblur.dof(dark.cpu().numpy(), depth, device="cpu"))


@pytest.mark.parametrize("device", DEVICES)
def test_looks(scene, device):
    """The program's looks come back as tensors on the device."""
    a, b = (torch.from_numpy(each).to(device) for each in scene)
    for given in ({"grain": 2}, {"dof_preset": "portrait"}, {"depth_from": "zbuffer"}):
        result = satblur.dof(a, b, **given)
        assert result.device == a.device and np.array_equal(result.cpu().numpy(), satblur.dof(*scene, device="cpu", **given))
    first = (a.permute(2, 0, 1)[None] / 255).half()
    result = satblur.dof(first, b[None, None], dof_preset="street", layout="CHW")
    wanted = satblur.dof(first, b[None, None], focus_range=0.15, max_radius="1%", layout="CHW")
    assert result.dtype == torch.float16 and torch.equal(result, wanted)


def test_errors(scene):
    image = torch.from_numpy(scene[0])
    with pytest.raises(TypeError, match="complex"):
        satblur.box(image.to(torch.complex64), 1)
    with pytest.raises(ValueError, match="sparse"):
        satblur.box(image[..., 0].float().to_sparse(), 1)
    with pytest.raises(ValueError, match="no memory|meta|empty"):
        satblur.box(image.to("meta"), 1)
    freed = image.clone()
    freed.untyped_storage().resize_(0)
    with pytest.raises(ValueError, match="freed"):
        satblur.box(freed, 1)


@pytest.mark.skipif("cuda" not in DEVICES, reason="SKIPPED LOUDLY: no GPU")
class TestGpu:
    def test_streams(self, scene):
        """Work of many streams is in order without waiting for any."""
        image, depth = (torch.from_numpy(each).cuda() for each in scene)
        wanted = satblur.box(torch.from_numpy(scene[0]), 3, device="cpu")
        large = torch.zeros(4000, 4000, device="cuda")
        for _ in range(20):
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                for _ in range(3):
                    large = large @ large
                late = torch.zeros_like(image)
                late.copy_(image)
                result = satblur.box(late, 3)
                assert torch.equal(result.cpu(), wanted)

    def test_no_wait(self):
        """A box of RGB returns when its work is queued."""
        large, image = torch.zeros(8192, 8192, device="cuda"), torch.zeros(64, 64, 3, dtype=torch.uint8, device="cuda")
        satblur.box(image, 3)
        torch.cuda.synchronize()
        for _ in range(20):
            large = large @ large
        satblur.box(image, 3)
        assert not torch.cuda.current_stream().query()

    def test_devices(self, scene):
        image = torch.from_numpy(scene[0]).cuda()
        with pytest.raises(ValueError, match="'cpu'"):
            satblur.box(image, 1, device="cpu")
        with pytest.raises(ValueError, match="cuda:1"):
            satblur.box(image, 1, device="cuda:1")
        with pytest.raises(ValueError, match="GPU"):
            satblur.reduce(torch.arange(9, dtype=torch.int32, device="cuda").view(torch.uint32))
        assert satblur.describe().startswith("cuda:0")

    def test_fork(self):
        import subprocess
        import sys

        code = """if True:
            import os, numpy as np, satblur
            image = np.zeros((90, 90), np.uint8)
            image[::3] = 200
            wanted = satblur.box(image, 2, device="cuda")
            child = os.fork()
            if not child:
                same = np.array_equal(satblur.box(image, 2), wanted)
                try:
                    satblur.box(image, 2, device="cuda")
                except RuntimeError as error:
                    print(error, flush=True)
                os._exit(0 if same else 1)
            raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and "spawn" in done.stdout, done
