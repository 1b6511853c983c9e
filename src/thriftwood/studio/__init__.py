"""The studio: prices that are changed in the browser while the tree, its bill and its frontier follow."""
