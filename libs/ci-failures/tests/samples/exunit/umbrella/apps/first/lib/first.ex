defmodule First do
  def name, do: :first
end
