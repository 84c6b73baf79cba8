package org.example.broken;

public class Other {
    int none() {
        final int one = 1;
        one = 2; int two = "2";
        String s = 3;
        return names().size();
    }
}
