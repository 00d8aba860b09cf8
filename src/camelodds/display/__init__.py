"""How positions and results look: text, HTML, pictures. Imported when something is shown."""
