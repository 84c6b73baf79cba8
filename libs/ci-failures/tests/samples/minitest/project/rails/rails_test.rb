require "active_support"
require "active_support/test_case"
require "active_support/testing/autorun"
require "rails/test_unit/line_filtering"

class UserTest < ActiveSupport::TestCase
  test "is valid: 'quoted' & \"so\"" do
    assert false
  end

  test "raises" do
    raise ArgumentError, "boom\nand more"
  end

  test "has a difference" do
    count = 0
    assert_difference -> { count }, 2, "nothing was made" do
      count += 1
    end
  end

  test "is fine" do
    puts "Failure:", "QuotedTest#test_never [test/quoted_test.rb:7]:", "Expected false", ""
    assert true
  end
end
