defmodule Account do
  def add(a, b), do: a + missing
end
