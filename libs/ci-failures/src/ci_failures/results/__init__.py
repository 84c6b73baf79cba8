"""Result files of test tools: recognized by their content, read as a stream, never trusted.

`files.read_file` reads one file, `archives.read_archive` those in a zip archive.
"""
