defmodule FineTest do
  use ExUnit.Case, async: true

  test "is fine" do
    assert true
  end
end
