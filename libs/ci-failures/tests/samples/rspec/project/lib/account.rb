# What the samples test.
class Account
  class Closed < StandardError; end

  attr_reader :balance

  def initialize(balance = 0)
    @balance = balance
  end

  def add(amount)
    @balance += check(amount)
  end

  def check(amount)
    raise ArgumentError, "not a number: #{amount.inspect}" unless amount.is_a?(Numeric)

    amount
  end

  def close
    check(nil)
  rescue ArgumentError
    raise Closed, "cannot be closed\n1) Not a heading\n  2) Nor this one\nrspec ./spec/no_spec.rb:1 # is a message"
  end
end
