Feature: Cart
  Background:
    Given a cart

  Scenario: Adding
    When I add 1 item
    Then there are 2 items

  Scenario: Passing
    When I add 1 item
    Then there are 1 items

  Scenario: Undefined
    When nobody knows this

  Scenario Outline: Many <n>
    When I add <n> item
    Then there are 3 items
    Examples: few
      | n |
      | 1 |
      | 3 |

  Scenario: Raising
    When it raises
