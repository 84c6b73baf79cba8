defmodule Truth do
  @moduledoc "Appends what failed, as ExUnit itself has it, to the file that STITHY_TRUTH names."
  use GenServer

  @impl true
  def init(_options), do: {:ok, []}

  @impl true
  def handle_cast({:test_finished, %ExUnit.Test{state: {:failed, _}} = test}, rows),
    do: {:noreply, [row(inspect(test.module), to_string(test.name), test.tags.file, test.tags.line) | rows]}

  def handle_cast({:module_finished, %ExUnit.TestModule{state: {:failed, _}} = module}, rows),
    do: {:noreply, [row(inspect(module.name), "setup_all", module.file, 0) | rows]}

  def handle_cast({:suite_finished, _}, rows) do
    File.write!(System.fetch_env!("STITHY_TRUTH"), Enum.map(rows, &[&1, "\n"]), [:append])
    {:noreply, []}
  end

  def handle_cast(_, rows), do: {:noreply, rows}

  defp row(module, name, file, line), do: Enum.join([module, name, file, line], "\t")
end
