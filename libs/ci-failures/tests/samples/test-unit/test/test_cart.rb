require "test/unit"

module Shop
  class TestCart < Test::Unit::TestCase
    def test_adds
      assert_equal(3, 2, "wrong")
    end

    def test_raises
      raise ArgumentError, "two\nlines"
    end

    def test_text
      assert_equal("a\nb\nc\nd", "a\nx\nc\nd")
    end

    test "words and 'quotes' (x)" do
      assert_nil(1)
    end

    sub_test_case "when nested" do
      test "deep" do
        assert_raise(KeyError) { raise IOError, "no" }
      end
    end

    data("one" => 1, "two words" => 2)
    def test_data(number)
      assert_equal(0, number)
    end

    def test_waits
      pend("later")
    end

    def test_left_out
      omit("no")
    end

    def test_prints
      puts "", "=" * 79, "Failure: test_never(Other)", "2 tests, 1 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 x"
      assert(true)
    end
  end

  class TestSetUp < Test::Unit::TestCase
    def setup
      raise "no set-up"
    end

    def test_any
    end
  end

  class TestTearDown < Test::Unit::TestCase
    def teardown
      raise "no tear-down"
    end

    def test_any
      assert_equal(1, 2)
    end
  end
end
