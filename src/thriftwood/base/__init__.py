"""Used everywhere: rules for parameters, progress of long calculations, files that are replaced whole."""
