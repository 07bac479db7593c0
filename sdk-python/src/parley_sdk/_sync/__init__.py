"""The synchronous client, made from _async/ by tools/generate.py; io.py alone is written by hand."""
