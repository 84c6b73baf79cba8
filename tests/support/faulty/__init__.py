"""Forges on the loopback interface that are well until one of their answers is broken, and what each fault means."""
