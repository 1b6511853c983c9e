"""What every room uses: rules of parameters, progress of long calculations."""
