package org.example;

import java.util.*;

public class Cart {
    public int Total(int a){ return a + 1; }

	List<String> names;
}
