"""From a table to an answer: choose rows and columns, hold rows out, fit, score, write."""
