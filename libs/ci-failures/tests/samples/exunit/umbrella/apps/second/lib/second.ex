defmodule Second do
  def name, do: :second
end
