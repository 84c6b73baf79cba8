defmodule Account do
  @moduledoc "What the samples test."

  @doc """
  Adds.

      iex> Account.add(1, 1)
      3
  """
  def add(a, b), do: a + b

  @doc """
  Checks.

      iex> Account.check(1)
      1

      iex> Account.check(2)
      3
  """
  def check(number) when is_integer(number), do: number

  def check(other),
    do: raise(ArgumentError, "not a number: #{inspect(other)}\n\n  1) test not a heading (NotTest)\n     test/not_test.exs:1")
end
