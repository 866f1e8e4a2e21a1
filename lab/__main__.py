"""The command line: `python -m lab …`."""

from lab.cli import main

if __name__ == "__main__":
    main()
