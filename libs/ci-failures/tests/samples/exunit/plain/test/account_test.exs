defmodule AccountTest do
  use ExUnit.Case
  doctest Account

  test "adds" do
    assert Account.add(1, 1) == 3, "the sum is wrong"
  end

  test "compares" do
    assert Account.add(1, 1) == 3
  end

  test "raises deep in the code" do
    Account.check("many")
  end

  test "has \"quotes\", 'these' (and) brackets - and / slash #1: more" do
    assert [1, 2, 3] -- [1] == [2]
  end

  test "größer als ∞ → 日本" do
    refute 1 in [1]
  end

  test "prints what looks like a failure" do
    IO.puts("\n  1) test quoted (QuotedTest)\n     test/quoted_test.exs:7\n     Assertion with == failed\n\n3 tests, 2 failures")
    assert true
  end

  describe "when nested" do
    setup do
      if System.get_env("NOTHING"), do: :ok, else: raise("no connection")
    end

    test "never runs" do
      assert true
    end
  end

  describe "others" do
    test "matches" do
      assert {:ok, _value} = {:error, :nothing}
    end

    test "exits" do
      exit(:gone)
    end

    test "throws" do
      throw(:ball)
    end

    @tag timeout: 50
    test "takes too long" do
      Process.sleep(400)
    end

    test "tells of all that is wrong" do
      raise ExUnit.MultiError, errors: [{:error, RuntimeError.exception("one"), []}, {:error, RuntimeError.exception("two"), []}]
    end

    test "has a linked process that ends" do
      spawn_link(fn -> raise "in another process" end)
      Process.sleep(1000)
    end

    test "gets messages" do
      assert_receive :never, 10
    end

    @tag :skip
    test "is skipped" do
      assert false
    end

    @tag :left_out
    test "is left out" do
      assert false
    end
  end
end
