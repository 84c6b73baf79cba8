"""Result files of test tools: told by their content, read as a stream, never trusted.

`files.read_file` reads one, `archives.read_archive` those in a zip.
"""
