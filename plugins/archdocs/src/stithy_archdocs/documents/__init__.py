"""From files to documents: found safely, read whatever they hold, kept until they change."""
