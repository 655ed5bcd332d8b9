"""The program: python -m satblur ..., or satblur ..."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "satblur")
    if not os.path.exists(program):
        sys.exit("satblur: this package was built without the program; install libstb-dev libdeflate-dev libspng-dev and "
                 "build it again")
    os.execv(program, ["satblur"] + sys.argv[1:])


if __name__ == "__main__":
    main()
