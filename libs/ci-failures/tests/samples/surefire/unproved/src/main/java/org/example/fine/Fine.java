package org.example.fine;

public class Fine {}
