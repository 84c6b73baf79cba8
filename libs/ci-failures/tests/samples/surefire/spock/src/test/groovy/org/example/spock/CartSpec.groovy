package org.example.spock

import spock.lang.Specification

class CartSpec extends Specification {
    def "adds two prices"() {
        given:
        def cart = [1, 2]

        expect:
        cart.sum() == 4
    }

    def "maximum of #a and #b is #c"() {
        expect:
        Math.max(a, b) == c

        where:
        a | b || c
        1 | 3 || 3
        7 | 4 || 4
        0 | 0 || 1
    }

    def "throws, with (brackets) and 'quotes'"() {
        when:
        throw new IllegalStateException("refused")

        then:
        thrown(IllegalArgumentException)
    }

    def "passes"() {
        expect:
        true
    }
}
