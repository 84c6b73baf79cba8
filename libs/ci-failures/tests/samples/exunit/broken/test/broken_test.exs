defmodule BrokenTest do
  use ExUnit.Case

  test "never runs" do
    assert 1 == missing
  end
end
