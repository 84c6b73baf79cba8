defmodule FirstTest do
  use ExUnit.Case

  test "has its name" do
    assert First.name() == :first
  end

  test "has another name" do
    assert First.name() == :other
  end
end
