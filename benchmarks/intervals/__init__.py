"""How often 95 % intervals of bills, and of differences of bills, have the truth inside."""
