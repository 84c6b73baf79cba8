defmodule SecondTest do
  use ExUnit.Case

  test "has its name" do
    assert Second.name() == :second
  end

  test "has another name" do
    assert Second.name() == :other
  end
end
