require "minitest/autorun"

class FineTest < Minitest::Test
  def test_is_fine
    assert true
  end
end
