package org.example.calc;

public final class Calculator {
    private Calculator() {}

    public static int divide(int a, int b) {
        return checked(a, b);
    }

    private static int checked(int a, int b) {
        return a / b;
    }
}
