require "minitest/autorun"

class Account
  def check(amount)
    raise ArgumentError, "not a number: #{amount.inspect}" unless amount.is_a?(Numeric)
  end
end

module Banking
  class AccountTest < Minitest::Test
    def test_adds
      assert_equal 3, 1 + 1
    end

    def test_raises_deep_in_the_code
      Account.new.check("many")
    end

    def test_has_a_message_of_lines
      assert_equal "a\nb\nc\n", "a\nX\nc\n", "lines differ:\n  1) Failure:\nOther#test_x [no.rb:3]:"
    end

    def test_raises_lines
      raise IOError, "first\n\n  1) Error:\nOther#test_y:\nThird"
    end

    def test_prints_what_looks_like_a_failure
      puts "", "  1) Failure:", "Quoted#test_never [test/quoted_test.rb:7]:", "Expected: 1", "", "3 runs, 2 assertions, 1 failures, 0 errors, 0 skips"
      assert true
    end

    def test_is_skipped
      skip "not here"
    end

    def test_flunks
      flunk
    end

    def test_größe_日本
      assert_in_delta 1.0, 2.0, 0.1
    end

    def helper_that_fails
      assert_includes [1, 2], 3
    end

    def test_fails_in_a_helper
      helper_that_fails
    end
  end

  class SetupTest < Minitest::Test
    def setup
      raise KeyError, "key not found: :a"
    end

    def test_never_runs; end

    def teardown
      raise "nor can it be left"
    end
  end
end
