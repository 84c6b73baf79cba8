defmodule Deep.SetupAllTest do
  use ExUnit.Case, async: true

  setup_all do
    raise "the whole module fails"
  end

  test "is one" do
    assert true
  end

  test "is two" do
    assert true
  end
end
