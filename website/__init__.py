"""What `make docs` makes besides the pages of docs/: reference, gallery, pictures, the live studio."""
