"""Write decision records in the style of their folder: `stithy adr`."""
