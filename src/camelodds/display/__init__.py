"""How positions and results look: text, HTML, pictures. Imported when something is shown.

======== ==========================================================
table    `Table`, columns of cells, before it is text or HTML
tables   which columns and notes each result shows
text     a table as plain text; how numbers are written
html     a table for notebooks
terminal a table by rich
frames   a table as a data frame
explain  an action in a sentence
svg      a position as a picture
track    a position as text
plots    results by matplotlib
progress a bar for long runs
extras   packages that only some of these need
======== ==========================================================
"""
