"""Compares a map that the page made with that of satblur-depth: page_map.py MODEL PHOTO MAP."""
import sys

import numpy
from PIL import Image
from satblur._depth_program import main

model, photo, theirs = sys.argv[1:]
main(["--model", model, photo, "satblur_depth.png"])
ours, page = (numpy.asarray(Image.open(name)).astype(int) for name in ("satblur_depth.png", theirs))
apart = abs(ours - page).max() if ours.shape == page.shape else numpy.inf
print(f"      {page.shape[1]} x {page.shape[0]} codes of 1 to 65535, at most {apart} apart")
sys.exit(int(apart > 16))
